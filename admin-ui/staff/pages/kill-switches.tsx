import { HandRaisedIcon } from '@heroicons/react/24/outline';
import { Group } from '@mantine/core';
import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { useDisabledReason, useFreshly } from '../../kit/data/person.ts';
import { ActionButton } from '../../kit/parts/dialog.tsx';
import { ProblemAlert } from '../../kit/parts/instead.tsx';
import { ListPage } from '../../kit/parts/list.tsx';
import { ModeMark, ViewLink } from '../../kit/parts/page.tsx';
import { CopyIcon } from '../../kit/parts/text.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import { useViewer } from '../data/viewer.ts';
import { KILL_SWITCHES, KINDS, type Kind, Lift, nameOf, type Stop } from '../kill-switch/kill-switches.tsx';
import { StopForm } from '../kill-switch/stop-form.tsx';

/** What is stopped by hand. `?stop=CLIENT&subject=client_…` opens the form, filled in. */
export function KillSwitchesPage() {
  const list = useList({ document: KILL_SWITCHES });
  const [params, setParams] = useSearchParams();
  const disabledReason = useDisabledReason('switches:write');
  const freshly = useFreshly();
  const { isFresh } = useViewer();
  const wanted = Object.keys(KINDS).find((kind): kind is Kind => kind === params.get('stop'));
  const asks = wanted !== undefined && disabledReason === undefined;
  useEffect(() => {
    if (asks && !isFresh) freshly(() => undefined);
  }, [asks, isFresh, freshly]);
  return (
    <ListPage
      title="Kill switches"
      description="A kill switch stops a client, a fan, a marketplace, all co-signing or SMS codes to a country, from the next call until an admin lifts it. All staff see what is stopped at the top of every page."
      above={
        wanted !== undefined &&
        disabledReason !== undefined && (
          <ProblemAlert title={`You can’t stop ${KINDS[wanted].label.toLowerCase()}`}>{disabledReason}</ProblemAlert>
        )
      }
      actions={
        <ActionButton
          variant="filled"
          leftSection={<HandRaisedIcon width={16} />}
          color="red.9"
          disabledReason={disabledReason}
          fresh
          onClick={() => setParams({ stop: 'CLIENT' })}
        >
          Set kill switch
        </ActionButton>
      }
      list={list}
      columns={{
        Stopped: (stop) => <Target stop={stop} />,
        Kind: ({ kind }) => KINDS[kind].label,
        Reason: ({ reason }) => <span className="two-lines">{reason}</span>,
        By: ({ setBy }) => setBy?.name ?? 'The system',
        Since: ({ setAt }) => <Moment at={setAt} />,
        Lift: (stop) => <Lift stop={stop} />,
      }}
      emptyIcon={<HandRaisedIcon />}
      emptyTitle="Nothing is stopped"
      emptyText="In an incident, stop as little as you need: one client, fan or marketplace rather than all co-signing. Nothing is lost: grants and tokens work again once the kill switch is lifted."
    >
      {asks && isFresh && (
        <StopForm
          kind={wanted}
          subject={params.get('subject') ?? ''}
          onClose={() => setParams({}, { replace: true })}
        />
      )}
    </ListPage>
  );
}

function Target({ stop }: { stop: Stop }) {
  const { client, fan, marketplace } = stop;
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
      {marketplace !== null && <CopyIcon text={marketplace} label="marketplace" />}
    </Group>
  );
}
