import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { Section } from '../parts/page.tsx';
import { Quiet } from '../parts/text.tsx';
import { FUNNEL_STEPS, type RequestsBehind, requestsHref, type SeriesData, share, totalOf } from './looks.ts';

interface BarsProps {
  /** For screen readers. */
  label: string;
  rows: readonly { name: string; count: number; aside?: string; href?: string }[];
  color?: string;
}

/** Counts as horizontal bars; the longest takes the whole width. A name leads to the requests that are counted. */
export function Bars({ label, rows, color }: BarsProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul className="bars" aria-label={label}>
      {rows.map(({ name, count, aside, href }) => (
        <li key={name}>
          <span className="bar-label">
            {href !== undefined && count > 0 ? (
              <Anchor component={Link} href={href} inherit className="bar-name">
                {name}
              </Anchor>
            ) : (
              <span>{name}</span>
            )}
            <span>
              {aside !== undefined && <span className="aside">{aside} </span>}
              <strong>{count.toLocaleString('en')}</strong>
            </span>
          </span>
          <span className="bar" aria-hidden>
            <span style={{ width: `${(count / most) * 100}%`, ...(color && { background: color }) }} />
          </span>
        </li>
      ))}
    </ul>
  );
}

interface BarsOfPeriodProps {
  series: readonly SeriesData[];
  /** The client and the time of what is counted. */
  within: RequestsBehind;
}

/** How far sign-ins got. */
export function Funnel({ series, within }: BarsOfPeriodProps) {
  const started = totalOf(series, 'started');
  const rows = series.map(({ name, total }) => {
    const step = FUNNEL_STEPS[name];
    return {
      name: step?.label ?? name,
      count: total,
      aside: share(total, started),
      ...(step && { href: requestsHref({ ...within, operation: step.operation, outcome: 'ok' }) }),
    };
  });
  return (
    <Section
      title="Sign-in funnel"
      description="Each step, compared with the sign-ins that started in the same time. Resent codes count too."
    >
      {started === 0 ? (
        <Quiet>No sign-ins started. One starts when an app sends a fan to /oauth2/authorize.</Quiet>
      ) : (
        <Bars label="Sign-in funnel" rows={rows} />
      )}
    </Section>
  );
}

/** Why co-signatures were refused, the most frequent reason first. */
export function Refusals({ series, within }: BarsOfPeriodProps) {
  const rows = series
    .filter(({ total }) => total > 0)
    .map(({ name, total }) => ({
      name: name.replaceAll('_', ' '),
      count: total,
      // the rest together has no code of its own
      ...(name !== 'others' && { href: requestsHref({ ...within, operation: 'listings.sign', outcome: name }) }),
    }));
  return (
    <Section title="Refused co-signatures" description="Calls to POST /authorizations that were refused, by reason.">
      {rows.length === 0 ? (
        <Quiet>No calls were refused.</Quiet>
      ) : (
        <Bars label="Refused co-signatures by reason" rows={rows} color="var(--chart-bad)" />
      )}
    </Section>
  );
}
