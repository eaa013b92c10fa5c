import { Button, Group, Text } from '@mantine/core';
import { useChange } from '../../kit/data/view.ts';
import { FailureAlert } from '../../kit/parts/failure-alert.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { clockSentence, inWords } from '../../kit/sandbox/clock.ts';
import { ADVANCE, type SimulatedClient } from './documents.ts';

/** Steps by what is over after them. */
const STEPS = [
  { label: '1 minute', seconds: 60, over: 'codes, and access tokens of the usual life' },
  { label: '10 minutes', seconds: 600, over: 'sign-ins under way' },
  { label: '1 day', seconds: 86_400, over: 'events of today' },
  { label: '30 days', seconds: 2_592_000, over: 'refresh tokens' },
] as const;

/** Moves the clock of one client on. */
export function TimeTravel({ client: { id, simulation } }: { client: SimulatedClient }) {
  const advance = useChange(ADVANCE);
  const { aheadSeconds } = simulation;
  return (
    <Section
      title="Time travel"
      description="What this client holds grows older, and test events come nearer, for this client alone. What it gets afterwards is stamped with the real time."
    >
      <FailureAlert failure={advance.error} title="The clock was not moved" />
      <Text size="sm">{clockSentence(aheadSeconds)}</Text>
      <Group gap="xs">
        {STEPS.map(({ label, seconds, over }) => (
          <Button
            key={label}
            variant="default"
            size="xs"
            aria-busy={advance.isPending}
            aria-label={`${label} on: ${over} are over`}
            title={`${over} are over`}
            onClick={async () => {
              // not disabled meanwhile: it would lose the focus
              if (advance.isPending) return;
              await advance.mutateAsync({ clientId: id, aheadSeconds: aheadSeconds + seconds }).then(
                () => notify(`The clock is ${inWords(aheadSeconds + seconds)} ahead.`),
                () => undefined,
              );
            }}
          >
            + {label}
          </Button>
        ))}
      </Group>
      <Text size="xs" c="dimmed">
        The clock goes one way: to set it back, end the simulation. What has expired stays expired.
      </Text>
    </Section>
  );
}
