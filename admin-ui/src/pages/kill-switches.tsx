import { Group } from '@mantine/core';
import { IconHandStop, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useFreshly } from '../data/fresh.ts';
import { useChange, useView } from '../data/view.ts';
import { useDisabledReason, useViewer } from '../data/viewer.ts';
import { KILL_SWITCHES, KINDS, type Kind, LIFT, nameOf, SET, type Stop, subjectOf } from '../kill-switch/kinds.ts';
import { StopForm } from '../kill-switch/stop-form.tsx';
import { ActionButton } from '../parts/action-button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { notifyWithUndo } from '../parts/undo.tsx';
import { useList } from '../parts/use-list.ts';
import { ViewLink } from '../parts/view-link.tsx';

/** What is stopped by hand. `?stop=CLIENT&subject=client_…` opens the form, filled in. */
export function KillSwitchesPage() {
  const list = useList([]);
  const view = useView('kill-switches', KILL_SWITCHES, list.page);
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
    <Page
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
    >
      <ConnectionTable
        caption="Kill switches"
        view={view}
        connection={view.data?.killSwitches}
        list={list}
        rowKey={({ id }) => id}
        columns={[
          { header: 'Stopped', cell: (stop) => <Target stop={stop} /> },
          { header: 'Kind', cell: ({ kind }) => KINDS[kind].label },
          { header: 'Reason', cell: ({ reason }) => <span className="two-lines">{reason}</span> },
          { header: 'By', cell: ({ setBy }) => setBy?.name ?? 'the system' },
          { header: 'Since', cell: ({ setAt }) => <Moment at={setAt} /> },
          {
            header: 'Lift it',
            cell: (stop) => (
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
          },
        ]}
        empty={
          <EmptyState icon={<IconHandStop />} title="Nothing is stopped">
            In an incident, stop as little as helps: one client or fan before all co-signing. What is stopped answers
            with a clear reason to partners and fans, and can be lifted at any time.
          </EmptyState>
        }
      />
      {asks && isFresh && (
        <StopForm
          kind={wanted}
          subject={params.get('subject') ?? ''}
          onClose={() => setParams({}, { replace: true })}
        />
      )}
      {lifting && <LiftDialog stop={lifting} onClose={() => setLifting(undefined)} />}
    </Page>
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
