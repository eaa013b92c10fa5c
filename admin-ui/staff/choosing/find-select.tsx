import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { useView } from '../../kit/data/view.ts';
import type { Filter } from '../../kit/parts/use-list.tsx';
import { graphql } from '../data/graphql.ts';

interface Choice {
  value: string;
  label: string;
}

export interface Found {
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
  /** Shown where nothing has the text. */
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

const CLIENTS_FOUND = graphql(`
  query ClientsToChoose($search: String) {
    clients(search: $search, first: 20) { nodes { id name mode } }
  }
`);
const CHOSEN_CLIENT = graphql(`query ChosenClient($id: ID!) { client(id: $id) { id name mode } }`);

/** Clients by a part of the name, or by the whole client_id. */
export function useClients(search: string, chosen: string): Found {
  // clients of one partner often differ in their mode only
  const choiceOf = ({ id, name, mode }: { id: string; name: string; mode: string }) => ({
    value: id,
    label: `${name} (${mode.toLowerCase()})`,
  });
  const known = useView('chosen-client', CHOSEN_CLIENT, { id: chosen }, { enabled: chosen !== '' }).data?.client;
  const current = known?.id === chosen ? choiceOf(known) : undefined;
  const { data, isFetching } = useView('clients-to-choose', CLIENTS_FOUND, { search: typed(search, current) });
  return { options: withChosen((data?.clients.nodes ?? []).map(choiceOf), current), isFetching };
}

const PARTNERS_FOUND = graphql(`
  query PartnersToChoose($search: String) {
    partners(search: $search, first: 20) { nodes { id name } }
  }
`);
const CHOSEN_PARTNER = graphql(`query ChosenPartner($id: ID!) { partner(id: $id) { id name } }`);

/** Partners by a part of the name. */
export function usePartners(search: string, chosen: string): Found {
  const choiceOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  const known = useView('chosen-partner', CHOSEN_PARTNER, { id: chosen }, { enabled: chosen !== '' }).data?.partner;
  const current = known?.id === chosen ? choiceOf(known) : undefined;
  const { data, isFetching } = useView('partners-to-choose', PARTNERS_FOUND, { search: typed(search, current) });
  return { options: withChosen((data?.partners.nodes ?? []).map(choiceOf), current), isFetching };
}

const TEST_EVENTS_FOUND = graphql(`
  query EventsToChoose($search: String, $partnerId: ID) {
    testEvents(search: $search, partnerId: $partnerId, first: 20) { nodes { id name startsAt } }
  }
`);
const CHOSEN_EVENT = graphql(`query ChosenEvent($id: ID!) { event(id: $id) { id name startsAt } }`);

/** Test events by a part of the name. @param partnerId whose they may be; empty for any */
export function useTestEvents(search: string, chosen: string, partnerId = ''): Found {
  // events of the same name differ in their day
  const choiceOf = ({ id, name, startsAt }: ResultOf<typeof TEST_EVENTS_FOUND>['testEvents']['nodes'][number]) => ({
    value: id,
    label: `${name} (${startsAt.slice(0, 10)})`,
  });
  const known = useView('chosen-event', CHOSEN_EVENT, { id: chosen }, { enabled: chosen !== '' }).data?.event;
  const current = known?.id === chosen ? choiceOf(known) : undefined;
  const variables = { search: typed(search, current), partnerId: partnerId || null };
  const { data, isFetching } = useView('events-to-choose', TEST_EVENTS_FOUND, variables);
  return { options: withChosen((data?.testEvents.nodes ?? []).map(choiceOf), current), isFetching };
}

const EVENTS_FOUND = graphql(`
  query AllEventsToChoose($search: String) {
    events(search: $search, first: 20) { nodes { id name startsAt } }
  }
`);

/** Events of both modes by a part of the name, or by the company's reference. */
function useEvents(search: string, chosen: string): Found {
  const choiceOf = ({ id, name, startsAt }: { id: string; name: string; startsAt: string }) => ({
    value: id,
    label: `${name} (${startsAt.slice(0, 10)})`,
  });
  const known = useView('chosen-event', CHOSEN_EVENT, { id: chosen }, { enabled: chosen !== '' }).data?.event;
  const current = known?.id === chosen ? choiceOf(known) : undefined;
  const { data, isFetching } = useView('all-events-to-choose', EVENTS_FOUND, { search: typed(search, current) });
  return { options: withChosen((data?.events.nodes ?? []).map(choiceOf), current), isFetching };
}

/** What is searched for: the label of the chosen one, which is in the field too, is no search. */
function typed(search: string, current: Choice | undefined): string {
  return search === current?.label ? '' : search;
}

/** What was found, with what is chosen already. */
function withChosen(found: readonly Choice[], chosen: Choice | undefined): Choice[] {
  return chosen && !found.some(({ value }) => value === chosen.value) ? [chosen, ...found] : [...found];
}

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
