import { Group } from '@mantine/core';
import { IconHandStop, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useFreshly } from '../data/fresh.ts';
import { useChange } from '../data/view.ts';
import { useDisabledReason, useViewer } from '../data/viewer.ts';
import { KILL_SWITCHES, KINDS, type Kind, LIFT, nameOf, SET, type Stop, subjectOf } from '../kill-switch/kinds.ts';
import { StopForm } from '../kill-switch/stop-form.tsx';
import { ActionButton } from '../parts/action-button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { notifyWithUndo } from '../parts/undo.tsx';
import { useList } from '../parts/use-list.tsx';
import { ViewLink } from '../parts/view-link.tsx';

/** What is stopped by hand. `?stop=CLIENT&subject=client_…` opens the form, filled in. */
export function KillSwitchesPage() {
  const list = useList({
    document: KILL_SWITCHES,
    variables: (page) => page,
    connection: ({ killSwitches }) => killSwitches,
  });
  const [params, setParams] = useSearchParams();
  const disabledReason = useDisabledReason('switches:write');
  const freshly = useFreshly();
  const { isFresh } = useViewer();
  const [lifting, setLifting] = useState<Stop>();
  const wanted = Object.keys(KINDS).find((kind): kind is Kind => kind === params.get('stop'));
  const asks = wanted !== undefined && disabledReason === undefined;
  useEffect(() => {
    if (asks && !isFresh) freshly(() => undefined);
  }, [asks, isFresh, freshly]);
  return (
    <ListPage
      title="Kill switches"
      description="Stops a client, a fan, all co-signing, or codes to a country, from the next call on and until somebody lifts it. Everybody sees what is stopped, above every view."
      actions={
        <ActionButton
          leftSection={<IconHandStop size={16} aria-hidden />}
          color="red.9"
          disabledReason={disabledReason}
          fresh
          onClick={() => setParams({ stop: 'CLIENT' })}
        >
          Stop something
        </ActionButton>
      }
      list={list}
      columns={{
        Stopped: (stop) => <Target stop={stop} />,
        Kind: ({ kind }) => KINDS[kind].label,
        Reason: ({ reason }) => <span className="two-lines">{reason}</span>,
        By: ({ setBy }) => setBy?.name ?? 'the system',
        Since: ({ setAt }) => <Moment at={setAt} />,
        'Lift it': (stop) => (
          <ActionButton
            size="xs"
            variant="default"
            right="switches:write"
            fresh
            leftSection={<IconPlayerPlay size={14} aria-hidden />}
            onClick={() => setLifting(stop)}
          >
            Lift
          </ActionButton>
        ),
      }}
      emptyIcon={<IconHandStop />}
      emptyTitle="Nothing is stopped"
      emptyText="In an incident, stop as little as helps: one client or fan before all co-signing. What is stopped answers with a clear reason to partners and fans, and can be lifted at any time."
    >
      {asks && isFresh && (
        <StopForm
          kind={wanted}
          subject={params.get('subject') ?? ''}
          onClose={() => setParams({}, { replace: true })}
        />
      )}
      {lifting && <LiftDialog stop={lifting} onClose={() => setLifting(undefined)} />}
    </ListPage>
  );
}

function Target({ stop }: { stop: Stop }) {
  const { client, fan } = stop;
  const href = client ? `/clients/${client.id}` : fan ? `/fans/${fan.id}` : undefined;
  const mode = (client ?? fan)?.mode;
  return (
    <Group gap="xs" component="span">
      {href === undefined ? (
        nameOf(stop)
      ) : (
        <ViewLink href={href} size="sm">
          {nameOf(stop)}
        </ViewLink>
      )}
      {mode && <ModeMark mode={mode} />}
    </Group>
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
      reason={{ label: 'Reason', description: 'What has changed. It goes into the audit log.' }}
      run={async (reason) => {
        await lift.mutateAsync({ ...target, reason });
        notifyWithUndo(`Lifted: ${nameOf(stop)}.`, () => again.mutateAsync({ ...target, reason: stop.reason }));
      }}
      onClose={onClose}
    >
      It was stopped by {stop.setBy?.name ?? 'the system'}: “{stop.reason}” It goes on with the next call.
    </ConfirmDialog>
  );
}
