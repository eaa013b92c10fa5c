import { Switch } from '@mantine/core';
import { IconApi } from '@tabler/icons-react';
import type { VariablesOf } from 'gql.tada';
import { PAGE } from '../../kit/data/view.ts';
import { ListPage } from '../../kit/parts/list.tsx';
import { ViewLink } from '../../kit/parts/page.tsx';
import { type Filter, selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { MODE_OPTIONS } from '../../kit/parts/values.tsx';
import { AnswerCell, TimeCell } from '../../kit/requests/cells.tsx';
import { MORE_REQUEST_FILTERS, toRequestFilter } from '../../kit/requests/request-filters.tsx';
import { REQUEST_FILTERS } from '../activity/request-filters.tsx';
import { CLIENT_FILTER } from '../choosing/find-select.tsx';
import { graphql } from '../data/graphql.ts';

const REQUESTS = graphql(`
  query Requests($filter: RequestFilter, $clientId: ID, $mode: Mode, ${PAGE.variables}) {
    requests(filter: $filter, clientId: $clientId, mode: $mode, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id at label status outcome message durationMs client { id name } }
    }
  }
`);

type Variables = VariablesOf<typeof REQUESTS>;

/** The calls of this console, and the files of all pages, would bury the others. */
const withConsole: Filter = ({ value, onChange }) => (
  <Switch
    label="Console and page files"
    checked={value !== ''}
    onChange={(event) => onChange(event.currentTarget.checked ? '1' : '')}
  />
);

/** The request log of the last 30 days: of all clients but the console, or of what the filters in the address leave. */
export function RequestsPage() {
  const list = useList({
    document: REQUESTS,
    filters: {
      ...REQUEST_FILTERS,
      client: CLIENT_FILTER,
      mode: selectFilter('Mode', MODE_OPTIONS),
      console: withConsole,
    },
    variables: (page, { client, mode, console: shown, ...filters }) => ({
      ...page,
      filter: toRequestFilter({ ...filters, operation: filters.operation ?? (shown ? null : 'not_console') }),
      clientId: client,
      mode: mode as NonNullable<Variables['mode']> | null,
    }),
    connection: ({ requests }) => requests,
  });
  return (
    <ListPage
      title="Requests"
      description="Every call of the last 30 days, with the answer that a refused caller got; the console’s own where you switch them on. New calls appear after about a second. Times are in UTC."
      list={list}
      moreFilters={[...MORE_REQUEST_FILTERS, 'mode']}
      href={({ id }) => `/requests/${id}`}
      columns={{
        Call: ({ label }) => label,
        Answer: (request) => <AnswerCell {...request} />,
        Client: ({ client }) => client && <ViewLink href={`/clients/${client.id}`}>{client.name}</ViewLink>,
        Duration: ({ durationMs }) => `${durationMs.toLocaleString('en')} ms`,
        Time: ({ at }) => <TimeCell at={at} />,
      }}
      numeric={['Duration']}
      emptyIcon={<IconApi />}
      emptyTitle="No requests yet"
      emptyText="Calls from apps and sign-in pages appear here after about a second."
    />
  );
}
