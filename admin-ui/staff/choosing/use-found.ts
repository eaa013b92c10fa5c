import type { ResultOf } from 'gql.tada';
import { useView } from '../../kit/data/view.ts';
import { graphql } from '../data/graphql.ts';
import type { Choice, Found } from './find-select.tsx';

const CLIENTS = graphql(`
  query ClientsToChoose($search: String) {
    clients(search: $search, first: 20) { nodes { id name mode } }
  }
`);
const CLIENT = graphql(`query ChosenClient($id: ID!) { client(id: $id) { id name mode } }`);

/** Clients by a part of the name, or by the whole client_id. */
export function useClients(search: string, chosen: string): Found {
  // clients of one partner often differ in their mode only
  const choiceOf = ({ id, name, mode }: { id: string; name: string; mode: string }) => ({
    value: id,
    label: `${name} (${mode.toLowerCase()})`,
  });
  const known = useView('chosen-client', CLIENT, { id: chosen }, { enabled: chosen !== '' }).data?.client;
  const current = known?.id === chosen ? choiceOf(known) : undefined;
  const { data, isFetching } = useView('clients-to-choose', CLIENTS, { search: typed(search, current) });
  return { options: withChosen((data?.clients.nodes ?? []).map(choiceOf), current), isFetching };
}

const PARTNERS = graphql(`
  query PartnersToChoose($search: String) {
    partners(search: $search, first: 20) { nodes { id name } }
  }
`);
const PARTNER = graphql(`query ChosenPartner($id: ID!) { partner(id: $id) { id name } }`);

/** Partners by a part of the name. */
export function usePartners(search: string, chosen: string): Found {
  const choiceOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  const known = useView('chosen-partner', PARTNER, { id: chosen }, { enabled: chosen !== '' }).data?.partner;
  const current = known?.id === chosen ? choiceOf(known) : undefined;
  const { data, isFetching } = useView('partners-to-choose', PARTNERS, { search: typed(search, current) });
  return { options: withChosen((data?.partners.nodes ?? []).map(choiceOf), current), isFetching };
}

const EVENTS = graphql(`
  query EventsToChoose($search: String, $partnerId: ID) {
    testEvents(search: $search, partnerId: $partnerId, first: 20) { nodes { id name startsAt } }
  }
`);
const EVENT = graphql(`query ChosenEvent($id: ID!) { event(id: $id) { id name startsAt } }`);

/** Test events by a part of the name. @param partnerId whose they may be; empty for any */
export function useTestEvents(search: string, chosen: string, partnerId = ''): Found {
  // events of the same name differ in their day
  const choiceOf = ({ id, name, startsAt }: ResultOf<typeof EVENTS>['testEvents']['nodes'][number]) => ({
    value: id,
    label: `${name} (${startsAt.slice(0, 10)})`,
  });
  const known = useView('chosen-event', EVENT, { id: chosen }, { enabled: chosen !== '' }).data?.event;
  const current = known?.id === chosen ? choiceOf(known) : undefined;
  const variables = { search: typed(search, current), partnerId: partnerId || null };
  const { data, isFetching } = useView('events-to-choose', EVENTS, variables);
  return { options: withChosen((data?.testEvents.nodes ?? []).map(choiceOf), current), isFetching };
}

const ALL_EVENTS = graphql(`
  query AllEventsToChoose($search: String) {
    events(search: $search, first: 20) { nodes { id name startsAt } }
  }
`);

/** Events of both modes by a part of the name, or by the company's reference. */
export function useEvents(search: string, chosen: string): Found {
  const choiceOf = ({ id, name, startsAt }: { id: string; name: string; startsAt: string }) => ({
    value: id,
    label: `${name} (${startsAt.slice(0, 10)})`,
  });
  const known = useView('chosen-event', EVENT, { id: chosen }, { enabled: chosen !== '' }).data?.event;
  const current = known?.id === chosen ? choiceOf(known) : undefined;
  const { data, isFetching } = useView('all-events-to-choose', ALL_EVENTS, { search: typed(search, current) });
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
