import { Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange } from '../data/view.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { countryName } from '../parts/country-name.ts';
import { Facts } from '../parts/facts.tsx';
import { StateMark } from '../parts/marks.tsx';
import { inUtc, Moment } from '../parts/moment.tsx';
import { Section } from '../parts/section.tsx';
import { notify } from '../parts/undo.tsx';
import { type Breaker, RETRY } from './document.ts';

/** The breakers that have stopped sending, and when they retry. */
export function Breakers({ of, percent }: { of: readonly Breaker[]; percent: number }) {
  const [asked, setAsked] = useState<Breaker>();
  const retry = useChange(RETRY);
  if (of.length === 0) {
    return (
      <Section title="Breaker" actions={<StateMark tone="good">Closed: codes go out</StateMark>}>
        <Text size="sm" c="dimmed">
          {percent === 0
            ? 'It is switched off (VERIFICATION_BREAKER_PERCENT is 0).'
            : `It stops the sending to a country, or to all, where fewer than ${percent} % of the codes are typed in: then somebody has them sent for another reason than to sign in.`}
        </Text>
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
            description="Hardly any of the last codes were typed in. It tries again by itself with a few codes, and goes on once those are typed in."
            actions={
              <>
                <StateMark tone={onTrial ? 'waiting' : 'bad'}>{onTrial ? 'On trial' : 'Stopped'}</StateMark>
                {!onTrial && (
                  <ActionButton
                    size="xs"
                    variant="default"
                    right="switches:write"
                    fresh
                    leftSection={<IconPlayerPlay size={14} aria-hidden />}
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
                'Tries again from': inUtc(breaker.retryAt),
                'Times in a row': String(breaker.trips),
                'Codes on trial, typed in': `${breaker.trials}, ${breaker.verified}`,
              }}
            />
          </Section>
        );
      })}
      {asked && (
        <ConfirmDialog
          title={`Send to ${nameOf(asked)} on trial`}
          confirmLabel="Try now"
          reason={{ label: 'Reason', description: 'Why it is not abuse. It goes into the audit log.' }}
          run={async (reason) => {
            await retry.mutateAsync({ country: asked.country, reason });
            notify(`A few codes go out to ${nameOf(asked)} on trial.`);
          }}
          onClose={() => setAsked(undefined)}
        >
          A few codes go out at once. If they are typed in, the sending goes on; if not, it stops again, for longer.
        </ConfirmDialog>
      )}
    </>
  );
}

function nameOf({ country }: Breaker): string {
  return country === null ? 'all countries' : (countryName(country) ?? country);
}
