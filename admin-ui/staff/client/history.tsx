import { ClockIcon } from '@heroicons/react/24/outline';
import { Stack } from '@mantine/core';
import { Fragment } from 'react';
import { asText, nameOfField } from '../../kit/client/registration.ts';
import { PAGE } from '../../kit/data/view.ts';
import { Marked } from '../../kit/parts/diff.tsx';
import { ListTable } from '../../kit/parts/list.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import type { ClientData } from './document.ts';
import { RestoreButton } from './restore-button.tsx';

const HISTORY = graphql(`
  query ClientHistory($id: ID!, ${PAGE.variables}) {
    client(id: $id) {
      history(${PAGE.args}) {
        ${PAGE.fields}
        nodes { id at actor actorName action details changes { field before after } }
      }
    }
  }
`);

/** What was done to a client, by whom and why: its entries of the audit log. */
export function ClientHistory({ client }: { client: ClientData }) {
  const list = useList({
    document: HISTORY,
    of: { id: client.id },
    connection: (data) => data.client?.history,
  });
  return (
    <ListTable
      caption="History"
      list={list}
      columns={{
        What: ({ action }) => <code className="one-line">{action}</code>,
        Who: ({ actor, actorName }) => <span className="one-line">{actorName ?? actor}</span>,
        Details: (entry) => <Details client={client} entry={entry} />,
        When: ({ at }) => <Moment at={at} />,
      }}
      emptyIcon={<ClockIcon />}
      emptyTitle="No changes yet"
      emptyText="Changes to this client appear here."
    />
  );
}

interface Entry {
  action: string;
  details: unknown;
  changes: readonly { field: string; before: unknown; after: unknown }[];
}

/** The reason that was given, what was added and removed, and for an earlier approval how to restore it. */
function Details({ client, entry: { action, details, changes } }: { client: ClientData; entry: Entry }) {
  const { reason, note, review } = details as { reason?: unknown; note?: unknown; review?: unknown };
  return (
    <Stack gap={4} align="flex-start">
      {(reason ?? note) !== undefined && <span className="two-lines">{String(reason ?? note)}</span>}
      {action === 'client.edited' && review !== undefined && <span className="aside">In the edit under review:</span>}
      <Changes of={changes} />
      {action === 'client.approved' && (
        <RestoreButton client={client} review={client.reviews.find(({ id }) => id === review)} />
      )}
    </Stack>
  );
}

function Changes({ of: changes }: { of: Entry['changes'] }) {
  if (changes.length === 0) return null;
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

function Values({ of, field, mark }: { of: unknown; field: string; mark: 'added' | 'removed' }) {
  const text = asText(field, of);
  const values = typeof text === 'string' ? [text] : text;
  return values.map((value) => (
    <Fragment key={value}>
      <Marked mark={mark}>{value}</Marked>{' '}
    </Fragment>
  ));
}

/** The entries that the other list does not have; anything but a list as it is. */
function without(value: unknown, other: unknown): unknown {
  return Array.isArray(value) && Array.isArray(other) ? value.filter((entry) => !other.includes(entry)) : value;
}
