import { useView } from '../../kit/data/view.ts';
import { requestFilters } from '../../kit/requests/request-filters.tsx';
import { graphql } from '../data/graphql.ts';

const CHOICES = graphql(`
  query RequestChoices {
    requestOperations { name label }
    requestRefusals
  }
`);

/** The filters of requests, by the parameter of the address. */
export const REQUEST_FILTERS = requestFilters(
  () => useView('request-choices', CHOICES, {}, { staleTime: 60_000 }).data,
);
