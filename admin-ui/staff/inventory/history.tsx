import { ClockIcon } from '@heroicons/react/24/outline';
import { PAGE } from '../../kit/data/view.ts';
import { ListTable } from '../../kit/parts/list.tsx';
import { type List, useList } from '../../kit/parts/use-list.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import { AUDIT_ENTRY, type AuditRow, EntryDetails } from '../audit/entry-details.tsx';
import { graphql } from '../data/graphql.ts';

const EVENT_HISTORY = graphql(
  `
  query EventHistory($id: ID!, ${PAGE.variables}) {
    event(id: $id) { history(${PAGE.args}) { ${PAGE.fields} nodes { ...AuditRow } } }
  }
`,
  [AUDIT_ENTRY],
);

/** What was done to an event, by whom and why. */
export function EventHistory({ id }: { id: string }) {
  const list = useList({
    document: EVENT_HISTORY,
    of: { id },
    connection: ({ event }) => event?.history,
  });
  return <History list={list} />;
}

const TICKET_HISTORY = graphql(
  `
  query TicketHistory($id: ID!, ${PAGE.variables}) {
    ticket(id: $id) { history(${PAGE.args}) { ${PAGE.fields} nodes { ...AuditRow } } }
  }
`,
  [AUDIT_ENTRY],
);

/** What was done to a ticket and its permit, by whom and why. */
export function TicketHistory({ id }: { id: string }) {
  const list = useList({
    document: TICKET_HISTORY,
    of: { id },
    connection: ({ ticket }) => ticket?.history,
  });
  return <History list={list} />;
}

function History({ list }: { list: List<AuditRow> }) {
  return (
    <ListTable
      caption="History"
      list={list}
      columns={{
        What: ({ action }) => <code className="one-line">{action}</code>,
        Who: ({ actor, actorName }) => <span className="one-line">{actorName ?? actor}</span>,
        'Reason and changes': (entry) => <EntryDetails entry={entry} />,
        When: ({ at }) => <Moment at={at} />,
      }}
      emptyIcon={<ClockIcon />}
      emptyTitle="No changes yet"
      emptyText="Changes by the company’s rows, by staff and onchain appear here."
    />
  );
}
