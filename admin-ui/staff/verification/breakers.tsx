import { Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange } from '../../kit/data/view.ts';
import { ActionButton } from '../../kit/parts/action-button.tsx';
import { ConfirmDialog } from '../../kit/parts/confirm-dialog.tsx';
import { Facts } from '../../kit/parts/facts.tsx';
import { StateMark } from '../../kit/parts/marks.tsx';
import { inUtc, Moment } from '../../kit/parts/moment.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { countryName } from '../parts/country-name.ts';
import { type Breaker, RETRY } from './document.ts';

/** The breakers that have stopped sending, and when they retry. */
export function Breakers({ of, percent }: { of: readonly Breaker[]; percent: number }) {
  const [asked, setAsked] = useState<Breaker>();
  const retry = useChange(RETRY);
  if (of.length === 0) {
    return (
      <Section title="Breaker" actions={<StateMark tone="good">Sending codes</StateMark>}>
        <Text size="sm" c="dimmed">
          Stops codes to a country, or to all countries, when fewer than {percent}% are entered: a sign of SMS pumping.
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
            description="Few recent codes were entered. A few trial codes are sent automatically; sending resumes once those are entered."
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
