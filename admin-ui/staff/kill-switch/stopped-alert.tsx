import { Group, Stack, Text } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useDisabledReason } from '../../kit/data/person.ts';
import { ProblemAlert } from '../../kit/parts/failure-alert.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import type { Stop } from './kinds.ts';
import { Lift } from './lift.tsx';

interface StoppedAlertProps {
  killSwitch: { reason: string; setAt: string; setBy: { name: string } | null } | null;
  /** The same, to lift it here. */
  stop?: Stop | null;
}

/** On the page of a client or fan that is stopped: why, by whom and since when, and how it goes on. */
export function StoppedAlert({ killSwitch, stop }: StoppedAlertProps) {
  const obstacle = useDisabledReason('switches:write');
  if (killSwitch === null) return null;
  return (
    <ProblemAlert title="Stopped by a kill switch" icon={<IconHandStop aria-hidden />}>
      <Stack gap="xs">
        <Text size="sm">
          {killSwitch.reason} ({killSwitch.setBy?.name ?? 'the system'}, <Moment at={killSwitch.setAt} />)
        </Text>
        {stop && (
          <Group gap="sm">
            <Lift stop={stop} />
            {obstacle && <Text size="sm">{obstacle}</Text>}
          </Group>
        )}
      </Stack>
    </ProblemAlert>
  );
}
