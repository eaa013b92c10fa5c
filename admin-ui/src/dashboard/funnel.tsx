import { Text } from '@mantine/core';
import { Section } from '../parts/section.tsx';
import { Bars } from './bars.tsx';
import { type SeriesData, share, totalOf } from './document.ts';
import { FUNNEL_STEPS } from './looks.ts';

/** How far sign-ins got. */
export function Funnel({ series }: { series: readonly SeriesData[] }) {
  const started = totalOf(series, 'started');
  const rows = series.map(({ name, total }) => ({
    name: FUNNEL_STEPS[name] ?? name,
    count: total,
    aside: share(total, started),
  }));
  return (
    <Section
      title="Sign-in funnel"
      description="Each step with its share of all sign-ins that began. Resent codes count too."
    >
      {started === 0 ? (
        <Text size="sm" c="dimmed">
          No sign-in began. One begins when an app sends a fan to /oauth2/authorize.
        </Text>
      ) : (
        <Bars label="Sign-in funnel" rows={rows} />
      )}
    </Section>
  );
}

/** Why co-signatures were refused, the most frequent reason first. */
export function Refusals({ series }: { series: readonly SeriesData[] }) {
  const rows = series
    .filter(({ total }) => total > 0)
    .map(({ name, total }) => ({ name: name.replaceAll('_', ' '), count: total }));
  return (
    <Section
      title="Refused co-signatures"
      description="Requests for co-signatures that the policy or the request itself barred."
    >
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          None was refused.
        </Text>
      ) : (
        <Bars label="Refused co-signatures by reason" rows={rows} color="var(--chart-bad)" />
      )}
    </Section>
  );
}
