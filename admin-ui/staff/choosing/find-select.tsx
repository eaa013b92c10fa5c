import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { getOperationName } from '@urql/core';
import type { TadaDocumentNode } from 'gql.tada';
import { useState } from 'react';
import { useView } from '../../kit/data/view.ts';
import type { Filter } from '../../kit/parts/use-list.tsx';
import { graphql } from '../data/graphql.ts';

interface Choice {
  value: string;
  label: string;
}

interface Found {
  /** Always with the chosen one. */
  options: readonly Choice[];
  isFetching: boolean;
}

interface FindSelectProps {
  label: string;
  description?: string;
  /** The id of the chosen one; empty where none is. */
  value: string;
  onChange: (id: string) => void;
  error?: string | undefined;
  required?: boolean;
  /** Whether the focus begins here, in a dialog. */
  isFirst?: boolean;
  /** Shown where nothing matches the text. */
  nothingFound: string;
  /** Asks the service for what matches a text, and for the chosen one. */
  useFound: (search: string, chosen: string) => Found;
  /** A filter above a list: its label is the placeholder. */
  isFilter?: boolean;
}

/** Chooses one of thousands by a part of its name. */
export function FindSelect({
  useFound,
  isFilter,
  isFirst,
  nothingFound,
  label,
  description,
  ...field
}: FindSelectProps) {
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, 200);
  const { options, isFetching } = useFound(asked, field.value);
  const appearance = isFilter
    ? {
        'aria-label': label,
        placeholder: label,
        className: 'filter-select',
        clearable: true,
        clearButtonProps: { 'aria-label': `${label}: all` },
      }
    : { label, description, placeholder: 'Search by name', clearable: !field.required };
  return (
    <Select
      {...appearance}
      required={field.required ?? false}
      data-autofocus={isFirst || undefined}
      openOnFocus={!isFirst}
      error={field.error}
      searchable
      data={[...options]}
      filter={({ options: all }) => all}
      value={field.value === '' ? null : field.value}
      onChange={(next) => field.onChange(next ?? '')}
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={isFetching ? 'Searching…' : nothingFound}
    />
  );
}

interface Named {
  id: string;
  name: string;
  mode?: string;
  startsAt?: string;
}

/** Clients of one name often differ in their mode only, and events in their day. */
function choiceOf({ id, name, mode, startsAt }: Named): Choice {
  const which = mode?.toLowerCase() ?? startsAt?.slice(0, 10);
  return { value: id, label: which === undefined ? name : `${name} (${which})` };
}

interface Kind {
  /** What matches a text. */
  all: TadaDocumentNode<Record<string, { nodes: readonly Named[] }>, { search: string; partnerId: string | null }>;
  /** The chosen one. */
  one: TadaDocumentNode<Record<string, Named | null>, { id: string }>;
}

/** Asks for what matches a text, and for the chosen one. @param partnerId whose they may be; empty for any */
function useFoundOf({ all, one }: Kind, search: string, chosen: string, partnerId = ''): Found {
  const view = useView(getOperationName(one) ?? '', one, { id: chosen }, { enabled: chosen !== '' });
  const [known] = Object.values(view.data ?? {});
  const current = known?.id === chosen ? choiceOf(known) : undefined;
  // the label of the chosen one, which is in the field too, is no search
  const variables = { search: search === current?.label ? '' : search, partnerId: partnerId || null };
  const { data, isFetching } = useView(getOperationName(all) ?? '', all, variables);
  const found = Object.values(data ?? {}).flatMap(({ nodes }) => nodes.map(choiceOf));
  const isNew = current && !found.some(({ value }) => value === chosen);
  return { options: isNew ? [current, ...found] : found, isFetching };
}

const CLIENTS: Kind = {
  all: graphql(`query ClientsToChoose($search: String) {
    clients(search: $search, first: 20) { nodes { id name mode } }
  }`),
  one: graphql(`query ChosenClient($id: ID!) { client(id: $id) { id name mode } }`),
};
const PARTNERS: Kind = {
  all: graphql(`query PartnersToChoose($search: String) {
    partners(search: $search, first: 20) { nodes { id name } }
  }`),
  one: graphql(`query ChosenPartner($id: ID!) { partner(id: $id) { id name } }`),
};
const CHOSEN_EVENT = graphql(`query ChosenEvent($id: ID!) { event(id: $id) { id name startsAt } }`);
const TEST_EVENTS: Kind = {
  all: graphql(`query EventsToChoose($search: String, $partnerId: ID) {
    testEvents(search: $search, partnerId: $partnerId, first: 20) { nodes { id name startsAt } }
  }`),
  one: CHOSEN_EVENT,
};
/** Of both modes; also by the company's reference. */
const EVENTS: Kind = {
  all: graphql(`query AllEventsToChoose($search: String) {
    events(search: $search, first: 20) { nodes { id name startsAt } }
  }`),
  one: CHOSEN_EVENT,
};

type UseFound = FindSelectProps['useFound'];

/** Clients by a part of the name, or by the whole client_id. */
export const useClients: UseFound = (search, chosen) => useFoundOf(CLIENTS, search, chosen);

/** Partners by a part of the name. */
export const usePartners: UseFound = (search, chosen) => useFoundOf(PARTNERS, search, chosen);

/** Test events by a part of the name. @param partnerId whose they may be; empty for any */
export const useTestEvents = (search: string, chosen: string, partnerId: string) =>
  useFoundOf(TEST_EVENTS, search, chosen, partnerId);

const useEvents: UseFound = (search, chosen) => useFoundOf(EVENTS, search, chosen);

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

interface PartnerSelectProps {
  value: string;
  onChange: (id: string) => void;
  description?: string;
  error?: string | undefined;
  isFirst?: boolean;
}

/** Searches a partner by a part of the name. */
export function PartnerSelect({ description = 'The company that owns the client.', ...field }: PartnerSelectProps) {
  return (
    <FindSelect
      {...field}
      label="Partner"
      description={description}
      required
      useFound={usePartners}
      nothingFound="No matching partner. Register it under Partners."
    />
  );
}
