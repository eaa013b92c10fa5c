import { CodeBracketIcon } from '@heroicons/react/24/outline';
import type { ResultOf } from 'gql.tada';
import type { ReactNode } from 'react';
import { graphql } from '../data/graphql.ts';
import { PAGE } from '../data/view.ts';
import { ListPage } from '../parts/list.tsx';
import { type Filter, selectFilter, useList } from '../parts/use-list.tsx';
import { MODE_OPTIONS } from '../parts/values.tsx';
import { AnswerCell, TimeCell } from './cells.tsx';
import {
  MORE_REQUEST_FILTERS,
  REQUEST_FILTERS,
  type RequestFilterValues,
  toRequestFilter,
} from './request-filters.tsx';

const REQUESTS = graphql(`
  query Requests($filter: RequestFilter, $clientId: ID, $mode: Mode, ${PAGE.variables}) {
    requests(filter: $filter, clientId: $clientId, mode: $mode, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id at label status outcome message durationMs client { id name } }
    }
  }
`);

type LoggedRequest = ResultOf<typeof REQUESTS>['requests']['nodes'][number];

interface RequestsPageProps {
  description: string;
  emptyText: ReactNode;
  clientFilter: Filter;
  clientCell: (client: NonNullable<LoggedRequest['client']>) => ReactNode;
  /** A switch, and the group of operations that is left out while it is off. */
  noise?: { name: string; filter: Filter; leftOut: string };
}

/** The request log: what the filters in the address leave of it. */
export function RequestsPage({ description, emptyText, clientFilter, clientCell, noise }: RequestsPageProps) {
  const filters: Record<string, Filter> = {
    ...REQUEST_FILTERS,
    client: clientFilter,
    mode: selectFilter('Mode', MODE_OPTIONS),
    ...(noise && { [noise.name]: noise.filter }),
  };
  const list = useList({
    document: REQUESTS,
    filters,
    variables: (values) => {
      const shown = values as RequestFilterValues & { client: string | null };
      const leftOut = noise && !values[noise.name] ? noise.leftOut : null;
      return { filter: toRequestFilter({ ...shown, operation: shown.operation ?? leftOut }), clientId: shown.client };
    },
  });
  return (
    <ListPage
      title="Requests"
      description={description}
      list={list}
      moreFilters={[...MORE_REQUEST_FILTERS, 'mode']}
      href={({ id }) => `/requests/${id}`}
      columns={{
        Call: ({ label }) => label,
        Answer: (request) => <AnswerCell {...request} />,
        Client: ({ client }) => client && clientCell(client),
        Duration: ({ durationMs }) => `${durationMs.toLocaleString('en')} ms`,
        Time: ({ at }) => <TimeCell at={at} />,
      }}
      numeric={['Duration']}
      emptyIcon={<CodeBracketIcon />}
      emptyTitle="No requests yet"
      emptyText={emptyText}
    />
  );
}
