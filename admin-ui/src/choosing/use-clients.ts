import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { type Found, withChosen } from './find-select.tsx';

const FOUND = graphql(`
  query ClientsToChoose($search: String) {
    clients(search: $search, first: 20) {
      nodes { id name mode }
    }
  }
`);

const CHOSEN = graphql(`
  query ChosenClient($id: ID!) {
    client(id: $id) { id name mode }
  }
`);

/** Clients by a part of the name, or by the whole client_id. */
export function useClients(search: string, chosen: string): Found {
  const known = useView('chosen-client', CHOSEN, { id: chosen }, { enabled: chosen !== '' }).data?.client;
  const current = known?.id === chosen ? choiceOf(known) : undefined;
  const text = search === current?.label ? '' : search;
  const { data, isFetching } = useView('clients-to-choose', FOUND, { search: text });
  return { options: withChosen((data?.clients.nodes ?? []).map(choiceOf), current), isFetching };
}

/** Clients of one partner often differ in their mode only. */
function choiceOf({ id, name, mode }: { id: string; name: string; mode: string }) {
  return { value: id, label: `${name} (${mode.toLowerCase()})` };
}
