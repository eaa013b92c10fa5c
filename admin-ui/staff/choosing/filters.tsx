import type { Filter } from '../../kit/parts/use-list.tsx';
import { FindSelect, type FindSelectProps } from './find-select.tsx';
import { useClients, useEvents, usePartners } from './use-found.ts';

const findFilter =
  (kind: Pick<FindSelectProps, 'label' | 'useFound' | 'nothingFound'>): Filter =>
  (field) => <FindSelect isFilter {...kind} {...field} />;

/** Filters of lists by one of thousands, found by a part of its name. */
export const CLIENT_FILTER = findFilter({
  label: 'Client',
  useFound: useClients,
  nothingFound: 'No matching client.',
});
export const PARTNER_FILTER = findFilter({
  label: 'Partner',
  useFound: usePartners,
  nothingFound: 'No matching partner.',
});
export const EVENT_FILTER = findFilter({
  label: 'Event',
  useFound: useEvents,
  nothingFound: 'No matching event.',
});
