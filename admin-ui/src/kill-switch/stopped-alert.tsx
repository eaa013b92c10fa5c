import { Text } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { ProblemAlert } from '../parts/failure-alert.tsx';
import { Moment } from '../parts/moment.tsx';

interface StoppedAlertProps {
  killSwitch: { reason: string; setAt: string; setBy: { name: string } | null } | null;
}

/** On the page of a client or fan that is stopped: why, by whom and since when. */
export function StoppedAlert({ killSwitch }: StoppedAlertProps) {
  if (killSwitch === null) return null;
  return (
    <ProblemAlert title="Stopped by a kill switch" icon={<IconHandStop aria-hidden />}>
      <Text size="sm">
        {killSwitch.reason} ({killSwitch.setBy?.name ?? 'the system'}, <Moment at={killSwitch.setAt} />)
      </Text>
    </ProblemAlert>
  );
}
