import { Text } from '@mantine/core';
import { IconApi } from '@tabler/icons-react';
import type { VariablesOf } from 'gql.tada';
import { MORE_REQUEST_FILTERS, REQUEST_FILTERS, toRequestFilter } from '../activity/request-filters.tsx';
import { OutcomeMark } from '../activity/story.tsx';
import { CLIENT_FILTER } from '../choosing/filters.tsx';
import { graphql, PAGE } from '../data/graphql.ts';
import { selectFilter } from '../parts/filters.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { MODE_OPTIONS } from '../parts/marks.tsx';
import { inUtc } from '../parts/moment.tsx';
import { useList } from '../parts/use-list.tsx';
import { ViewLink } from '../parts/view-link.tsx';

const REQUESTS = graphql(`
  query Requests($filter: RequestFilter, $clientId: ID, $mode: Mode, ${PAGE.variables}) {
    requests(filter: $filter, clientId: $clientId, mode: $mode, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id at label status outcome message durationMs client { id name } }
    }
  }
`);

type Variables = VariablesOf<typeof REQUESTS>;

/** The request log of the last 30 days: of all clients, or of what the filters in the address leave. */
export function RequestsPage() {
  const list = useList({
    document: REQUESTS,
    filters: { ...REQUEST_FILTERS, client: CLIENT_FILTER, mode: selectFilter('Mode', MODE_OPTIONS) },
    variables: (page, { client, mode, ...filters }) => ({
      ...page,
      filter: toRequestFilter(filters),
      clientId: client,
      mode: mode as NonNullable<Variables['mode']> | null,
    }),
    connection: ({ requests }) => requests,
  });
  return (
    <ListPage
      title="Requests"
      description="Every call of the last 30 days, with the answer that a refused caller got. New calls appear after about a second. Times are in UTC."
      list={list}
      moreFilters={[...MORE_REQUEST_FILTERS, 'mode']}
      href={({ id }) => `/requests/${id}`}
      columns={{
        Call: ({ label }) => label,
        Answer: ({ status, outcome, message }) => (
          <div className="answer-cell">
            <span className="one-line">
              {status} {outcome !== 'ok' && <OutcomeMark outcome={outcome} />}
            </span>
            {message !== null && (
              <Text span size="xs" c="dimmed" lineClamp={2}>
                {message}
              </Text>
            )}
          </div>
        ),
        Client: ({ client }) => client && <ViewLink href={`/clients/${client.id}`}>{client.name}</ViewLink>,
        Duration: ({ durationMs }) => `${durationMs.toLocaleString('en')} ms`,
        Time: ({ at }) => (
          <time dateTime={at} title={inUtc(at)} className="one-line">
            {TIME.format(new Date(at))}
          </time>
        ),
      }}
      numeric={['Duration']}
      emptyIcon={<IconApi />}
      emptyTitle="No requests yet"
      emptyText="Calls from apps, sign-in pages and the console appear here after about a second."
    />
  );
}

const TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});
