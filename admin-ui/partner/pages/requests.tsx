import { IconApi } from '@tabler/icons-react';
import type { VariablesOf } from 'gql.tada';
import { PAGE, useView } from '../../kit/data/view.ts';
import { ListPage } from '../../kit/parts/list.tsx';
import { ViewLink } from '../../kit/parts/page.tsx';
import { selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { MODE_OPTIONS } from '../../kit/parts/values.tsx';
import { AnswerCell, TimeCell } from '../../kit/requests/cells.tsx';
import { MORE_REQUEST_FILTERS, requestFilters, toRequestFilter } from '../../kit/requests/request-filters.tsx';
import { clientFilter } from '../client/own-clients.tsx';
import { graphql } from '../data/graphql.ts';

const REQUESTS = graphql(`
  query Requests($filter: RequestFilter, $clientId: ID, $mode: Mode, ${PAGE.variables}) {
    requests(filter: $filter, clientId: $clientId, mode: $mode, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id at label status outcome message durationMs client { id name } }
    }
  }
`);

const CHOICES = graphql(`
  query RequestChoices {
    requestOperations { name label }
    requestRefusals
  }
`);

type Variables = VariablesOf<typeof REQUESTS>;

const FILTERS = requestFilters(() => {
  return useView('request-choices', CHOICES, {}, { staleTime: 60_000 }).data;
});

/** The request log of the last 30 days, of the partner's own clients. */
export function RequestsPage() {
  const list = useList({
    document: REQUESTS,
    filters: { ...FILTERS, client: clientFilter, mode: selectFilter('Mode', MODE_OPTIONS) },
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
      description="Every call of your clients in the last 30 days, without bodies and secrets. New calls appear after about a second. Times are in UTC."
      list={list}
      moreFilters={[...MORE_REQUEST_FILTERS, 'mode']}
      href={({ id }) => `/requests/${id}`}
      columns={{
        Call: ({ label }) => label,
        Answer: (request) => <AnswerCell {...request} />,
        Client: ({ client }) => client?.name ?? '',
        Duration: ({ durationMs }) => `${durationMs.toLocaleString('en')} ms`,
        Time: ({ at }) => <TimeCell at={at} />,
      }}
      numeric={['Duration']}
      emptyIcon={<IconApi />}
      emptyTitle="No requests yet"
      emptyText={
        <>
          Calls that your apps make with one of your clients appear here, and the steps of fans who sign in to them. See{' '}
          <ViewLink href="/connect" underline="always">
            how to call
          </ViewLink>
          .
        </>
      }
    />
  );
}
