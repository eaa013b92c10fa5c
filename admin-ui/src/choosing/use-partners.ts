import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { type Found, withChosen } from './find-select.tsx';

const FOUND = graphql(`
  query PartnersToChoose($search: String) {
    partners(search: $search, first: 20) {
      nodes { id name }
    }
  }
`);

const CHOSEN = graphql(`
  query ChosenPartner($id: ID!) {
    partner(id: $id) { id name }
  }
`);

/** Partners by a part of the name. */
export function usePartners(search: string, chosen: string): Found {
  const known = useView('chosen-partner', CHOSEN, { id: chosen }, { enabled: chosen !== '' }).data?.partner;
  const current = known?.id === chosen ? { value: known.id, label: known.name } : undefined;
  // the name of the chosen one stands in the field, and is no search
  const text = search === current?.label ? '' : search;
  const { data, isFetching } = useView('partners-to-choose', FOUND, { search: text });
  const found = (data?.partners.nodes ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return { options: withChosen(found, current), isFetching };
}
