import { Progress, Text } from '@mantine/core';
import { Bars } from '../../kit/charts/bars.tsx';
import { share } from '../../kit/charts/series.ts';
import { useDisabledReason } from '../../kit/data/person.ts';
import { useView } from '../../kit/data/view.ts';
import { Facts } from '../../kit/parts/facts.tsx';
import { FailureAlert } from '../../kit/parts/failure-alert.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { ViewLink } from '../../kit/parts/view-link.tsx';
import { ViewLoading } from '../../kit/parts/view-loading.tsx';
import { countryName } from '../parts/country-name.ts';
import { Breakers } from '../verification/breakers.tsx';
import { VERIFICATION, type VerificationData } from '../verification/document.ts';

/** The sending of codes to real phones: breaker, budget, countries, limits. */
export function VerificationPage() {
  const view = useView('verification', VERIFICATION, {}, { refetchInterval: 15_000 });
  const data = view.data?.verification;
  return (
    <Page
      title="Verification"
      description="Codes sent by SMS cost money, and fraudsters trigger them for profit (SMS pumping). Only production sends codes; sandbox codes are fixed."
    >
      <FailureAlert failure={view.error} title="Verification could not be loaded" retry={view.refetch} />
      {!data && !view.error && <ViewLoading />}
      {data && (
        <>
          <Breakers of={data.breakers} percent={data.limits.breakerPercent} />
          <Budget of={data} />
          <Countries of={data.countries} />
          <Limits of={data.limits} />
        </>
      )}
    </Page>
  );
}

function Budget({ of: { provider, sentToday, limits } }: { of: VerificationData }) {
  const percent = Math.min(100, (sentToday / limits.perDay) * 100);
  return (
    <Section title="Today’s budget" description={`Codes sent today (UTC) through the provider “${provider}”.`}>
      <Text size="sm">
        <strong>{sentToday.toLocaleString('en')}</strong> of {limits.perDay.toLocaleString('en')}. When it is used up,
        no more codes are sent until midnight UTC.
      </Text>
      <Progress
        value={percent}
        color={percent >= 80 ? 'var(--chart-bad)' : 'var(--chart-good)'}
        aria-label="Share of the budget used"
      />
    </Section>
  );
}

function Countries({ of }: { of: VerificationData['countries'] }) {
  const lack = useDisabledReason('switches:write');
  return (
    <Section title="Countries in the last hour" description="Codes sent, and the share that was entered.">
      {of.length === 0 ? (
        <Text size="sm" c="dimmed">
          No codes were sent in the last hour.
        </Text>
      ) : (
        <Bars
          label="Codes by country"
          rows={of.map(({ country, sent, verified }) => ({
            name: countryName(country) ?? country,
            count: sent,
            aside: `${share(verified, sent)} entered ·`,
          }))}
        />
      )}
      <Text size="sm" c="dimmed">
        {lack === undefined ? (
          <>
            To stop a country by hand, use the{' '}
            <ViewLink href="/kill-switches?stop=SMS_COUNTRY" underline="always">
              kill switch
            </ViewLink>
            .
          </>
        ) : (
          'An admin can stop a country by hand.'
        )}
      </Text>
    </Section>
  );
}

function Limits({ of }: { of: VerificationData['limits'] }) {
  const perHour = (count: number) => `${count.toLocaleString('en')} per hour`;
  const notEntered = (count: number) => `${count.toLocaleString('en')} not entered per hour`;
  return (
    <Section title="Limits" description="Set by the service’s environment variables (VERIFICATION_…).">
      <Facts
        of={{
          'Per phone number': `${perHour(of.perPhone)}, ${(of.perPhone * 2).toLocaleString('en')} per day`,
          'Per block of 10,000 numbers': notEntered(of.perRange),
          'Per address (IPv6: per network)': notEntered(of.perAddress),
          'Per client': notEntered(of.perClient),
          Total: `${of.perDay.toLocaleString('en')} per day`,
          Countries: of.countries === null ? 'all' : of.countries.map((code) => countryName(code) ?? code).join(', '),
          Breaker: `below ${of.breakerPercent}% entered, after ${of.breakerSample.toLocaleString('en')} codes`,
        }}
      />
    </Section>
  );
}
