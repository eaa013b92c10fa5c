import { HandRaisedIcon, PlayIcon } from '@heroicons/react/24/outline';
import { Group, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useDisabledReason } from '../../kit/data/person.ts';
import { PAGE, REFUSAL, useChange } from '../../kit/data/view.ts';
import { ConfirmDialog, DialogButton } from '../../kit/parts/dialog.tsx';
import { ProblemAlert } from '../../kit/parts/instead.tsx';
import { notifyWithUndo } from '../../kit/parts/notify.tsx';
import { Moment, shortened } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { countryName } from '../parts/country-name.ts';

export const KILL_SWITCHES = graphql(`
  query KillSwitches(${PAGE.variables}) {
    killSwitches(${PAGE.args}) {
      ${PAGE.fields}
      nodes {
        id kind reason country marketplace setAt
        setBy { name }
        client { id name mode }
        fan { id phone mode }
      }
    }
  }
`);

export type Stop = ResultOf<typeof KILL_SWITCHES>['killSwitches']['nodes'][number];
export type Kind = Stop['kind'];

/** Kinds of kill switch and their effects. */
export const KINDS: Record<Kind, { label: string; description: string }> = {
  CLIENT: {
    label: 'A client',
    description:
      'From the next call on, it can’t sign fans in, refresh tokens or use the API. Its grants stay, and it works again once the kill switch is lifted.',
  },
  FAN: {
    label: 'A fan',
    description: 'The fan can’t sign in to any app, and no app’s tokens for the fan are accepted.',
  },
  CO_SIGNING: {
    label: 'All co-signing',
    description: 'No listing or cancellation is co-signed for any app. Claims and reading tickets still work.',
  },
  SMS_COUNTRY: {
    label: 'SMS codes to a country',
    description: 'Fans with a number from this country get no code, so they can’t sign in to production clients.',
  },
  MARKETPLACE: {
    label: 'A marketplace',
    description:
      'No listing on it is co-signed for any app. What is on sale there can still be sold and cancelled: for a marketplace whose key has leaked, take it off sale too.',
  },
};

export const KIND_OPTIONS = Object.entries(KINDS).map(([value, { label }]) => ({ value, label }));

/** The argument that names a stop's target in the API. */
function subjectOf({ client, fan, country, marketplace }: Stop): string | null {
  return client?.id ?? fan?.id ?? country ?? marketplace;
}

/** What is stopped, in words. */
export function nameOf({ kind, client, fan, country, marketplace }: Stop): string {
  if (country !== null) return `Codes to ${countryName(country) ?? country}`;
  if (marketplace !== null) return `Marketplace ${shortened(marketplace)}`;
  return client?.name ?? fan?.phone ?? KINDS[kind].label;
}

export const SET = graphql(`
  mutation SetKillSwitch(
    $kind: KillSwitchKind!, $subject: String, $reason: String!, $endsSales: Boolean! = false, $endsGrants: Boolean! = false
  ) {
    setKillSwitch(kind: $kind, subject: $subject, reason: $reason, endsSales: $endsSales, endsGrants: $endsGrants) {
      ${REFUSAL} ... on KillSwitch { id kind reason country marketplace setAt setBy { name } client { id name mode } fan { id phone mode } }
    }
  }
`);

const LIFT = graphql(`
  mutation LiftKillSwitch($kind: KillSwitchKind!, $subject: String, $reason: String!) {
    liftKillSwitch(kind: $kind, subject: $subject, reason: $reason) { ${REFUSAL} ... on LiftedKillSwitch { wasOn } }
  }
`);

/** A button with the dialog that lifts a kill switch; disabled, with the reason, for those without the right. */
export function Lift({ stop }: { stop: Stop }) {
  return (
    <DialogButton
      size="xs"
      right="switches:write"
      fresh
      leftSection={<PlayIcon width={14} />}
      dialog={(close) => <LiftDialog stop={stop} onClose={close} />}
    >
      Lift
    </DialogButton>
  );
}

/** Lifting is undone by stopping again, for the same reason. */
function LiftDialog({ stop, onClose }: { stop: Stop; onClose: () => void }) {
  const lift = useChange(LIFT);
  const again = useChange(SET);
  const target = { kind: stop.kind, subject: subjectOf(stop) };
  return (
    <ConfirmDialog
      title={`Lift: ${nameOf(stop)}`}
      confirmLabel="Lift"
      reason={{ label: 'Reason', description: 'What has changed. It is added to the audit log.' }}
      run={async (reason) => {
        await lift.mutateAsync({ ...target, reason });
        notifyWithUndo(`Lifted: ${nameOf(stop)}.`, () => again.mutateAsync({ ...target, reason: stop.reason }));
      }}
      onClose={onClose}
    >
      {stop.setBy?.name ?? 'The system'} stopped it: “{stop.reason}” Calls are accepted again from now on.
    </ConfirmDialog>
  );
}

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
    <ProblemAlert title="Stopped by a kill switch" icon={<HandRaisedIcon />}>
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
