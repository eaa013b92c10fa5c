import { PlayIcon } from '@heroicons/react/24/outline';
import { Progress, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { Bars } from '../../kit/charts/bars.tsx';
import { share } from '../../kit/charts/looks.ts';
import { useDisabledReason } from '../../kit/data/person.ts';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { ActionButton, ConfirmDialog } from '../../kit/parts/dialog.tsx';
import { Waiting } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { Page, Section, TextLink } from '../../kit/parts/page.tsx';
import { Quiet } from '../../kit/parts/text.tsx';
import { Facts, inUtc, Moment, StateMark } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { countryName } from '../parts/country-name.ts';

/** The sending of codes to real phones: breaker, budget, countries, limits. */
export function VerificationPage() {
  const view = useView('verification', VERIFICATION, {}, { refetchInterval: 15_000 });
  const data = view.data?.verification;
  return (
    <Page
      title="Verification"
      description="Codes sent by SMS cost money, and fraudsters trigger them for profit (SMS pumping). Only production sends codes; sandbox codes are fixed."
    >
      <Waiting view={view} title="Verification could not be loaded" />
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
        <Quiet>No codes were sent in the last hour.</Quiet>
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
      <Quiet>
        {lack === undefined ? (
          <>
            To stop a country by hand, use the <TextLink href="/kill-switches?stop=SMS_COUNTRY">kill switch</TextLink>.
          </>
        ) : (
          'An admin can stop a country by hand.'
        )}
      </Quiet>
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

/** The breakers that have stopped sending, and when they retry. */
function Breakers({ of, percent }: { of: readonly Breaker[]; percent: number }) {
  const [asked, setAsked] = useState<Breaker>();
  const retry = useChange(RETRY);
  if (of.length === 0) {
    return (
      <Section title="Breaker" actions={<StateMark tone="good">Sending codes</StateMark>}>
        <Quiet>
          Stops codes to a country, or to all countries, when fewer than {percent}% are entered: a sign of SMS pumping.
        </Quiet>
      </Section>
    );
  }
  return (
    <>
      {of.map((breaker) => {
        const name = nameOf(breaker);
        const onTrial = new Date(breaker.retryAt).getTime() <= Date.now();
        return (
          <Section
            key={name}
            title={`Stopped by the breaker: ${name}`}
            description="Few recent codes were entered. A few trial codes are sent automatically; sending resumes once those are entered."
            actions={
              <>
                <StateMark tone={onTrial ? 'waiting' : 'bad'}>{onTrial ? 'On trial' : 'Stopped'}</StateMark>
                {!onTrial && (
                  <ActionButton
                    size="xs"
                    right="switches:write"
                    fresh
                    leftSection={<PlayIcon width={14} />}
                    onClick={() => setAsked(breaker)}
                  >
                    Try now
                  </ActionButton>
                )}
              </>
            }
          >
            <Facts
              of={{
                Stopped: <Moment at={breaker.openedAt} />,
                'Next trial': inUtc(breaker.retryAt),
                'Stopped in a row': String(breaker.trips),
                'Trial codes sent, entered': `${breaker.trials}, ${breaker.verified}`,
              }}
            />
          </Section>
        );
      })}
      {asked && (
        <ConfirmDialog
          title={`Send trial codes to ${nameOf(asked)}`}
          confirmLabel="Try now"
          reason={{ label: 'Reason', description: 'Why this is not abuse. It is added to the audit log.' }}
          run={async (reason) => {
            await retry.mutateAsync({ country: asked.country, reason });
            notify(`Trial codes are sent to ${nameOf(asked)}.`);
          }}
          onClose={() => setAsked(undefined)}
        >
          A few codes are sent right away. If they are entered, sending resumes; if not, it stops for longer.
        </ConfirmDialog>
      )}
    </>
  );
}

function nameOf({ country }: Breaker): string {
  return country === null ? 'all countries' : (countryName(country) ?? country);
}

const VERIFICATION = graphql(`
  query Verification {
    verification {
      provider sentToday
      breakers { country openedAt retryAt trips trials verified }
      countries { country sent verified }
      limits { perPhone perRange perAddress perClient perDay countries breakerSample breakerPercent }
    }
  }
`);

type VerificationData = ResultOf<typeof VERIFICATION>['verification'];
type Breaker = VerificationData['breakers'][number];

const RETRY = graphql(`
  mutation RetryVerification($country: String, $reason: String!) {
    retryVerification(country: $country, reason: $reason) { ${REFUSAL} ... on VerificationBreaker { retryAt } }
  }
`);
