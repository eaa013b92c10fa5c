import { IconHistory } from '@tabler/icons-react';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { Marked } from '../parts/diff.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Moment } from '../parts/moment.tsx';
import { useList } from '../parts/use-list.ts';
import type { ClientData } from './document.ts';
import { asText, nameOfField } from './field-names.ts';

const HISTORY = graphql(`
  query ClientHistory($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    client(id: $id) {
      history(first: $first, after: $after, last: $last, before: $before) {
        totalCount
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        nodes { id at actor actorName action details changes { field before after } }
      }
    }
  }
`);

/** What was done to a client, by whom and why: its entries of the audit log. */
export function ClientHistory({ client }: { client: ClientData }) {
  const list = useList([]);
  const view = useView('client-history', HISTORY, { id: client.id, ...list.page });
  return (
    <ConnectionTable
      caption="History"
      view={view}
      connection={view.data?.client?.history}
      list={list}
      rowKey={({ id }) => id}
      columns={[
        { header: 'What', cell: ({ action }) => <code className="one-line">{action}</code> },
        { header: 'Who', cell: ({ actor, actorName }) => <span className="one-line">{actorName ?? actor}</span> },
        { header: 'Details', cell: (entry) => <Details entry={entry} /> },
        { header: 'When', cell: ({ at }) => <Moment at={at} /> },
      ]}
      empty={
        <EmptyState icon={<IconHistory />} title="Nothing yet">
          What is done to this client appears here.
        </EmptyState>
      }
    />
  );
}

interface Entry {
  details: unknown;
  changes: readonly { field: string; before: unknown; after: unknown }[];
}

/** What was added and removed, or the reason that was given. */
function Details({ entry: { details, changes } }: { entry: Entry }) {
  if (changes.length > 0) {
    return (
      <ul className="plain-list">
        {changes.map(({ field, before, after }) => (
          <li key={field}>
            {nameOfField(field)} <Values of={without(before, after)} field={field} mark="removed" />{' '}
            <Values of={without(after, before)} field={field} mark="added" />
          </li>
        ))}
      </ul>
    );
  }
  const { reason, note } = details as { reason?: unknown; note?: unknown };
  return <span className="two-lines">{String(reason ?? note ?? '')}</span>;
}

function Values({ of, field, mark }: { of: unknown; field: string; mark: 'added' | 'removed' }) {
  const text = asText(field, of);
  const values = typeof text === 'string' ? [text] : text;
  return values.map((value) => (
    <Marked key={value} mark={mark}>
      {value}
    </Marked>
  ));
}

/** The entries that the other list does not have; anything but a list as it is. */
function without(value: unknown, other: unknown): unknown {
  return Array.isArray(value) && Array.isArray(other) ? value.filter((entry) => !other.includes(entry)) : value;
}
