import { Stack, Text } from '@mantine/core';
import { Moment } from '../parts/moment.tsx';
import { ClaimStateMark } from './states.tsx';

interface Progress {
  state: Parameters<typeof ClaimStateMark>[0]['claim']['state'];
  setAside: string | null;
  nextAttemptAt: string | null;
}

/** The state of a claim; if it could not be settled, why, and when it is tried again. */
export function ClaimProgress({ claim }: { claim: Progress }) {
  if (claim.setAside === null) return <ClaimStateMark claim={claim} />;
  return (
    <Stack gap={2} maw={320} miw={0}>
      <ClaimStateMark claim={claim} />
      <Text size="xs" c="dimmed" lineClamp={2} title={claim.setAside}>
        {claim.setAside}
      </Text>
      {claim.nextAttemptAt !== null && (
        <Text size="xs" c="dimmed">
          Next try: <Moment at={claim.nextAttemptAt} />
        </Text>
      )}
    </Stack>
  );
}
