import type { ResultOf } from 'gql.tada';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { type Found, withChosen } from './find-select.tsx';

const FOUND = graphql(`
  query EventsToChoose($search: String, $partnerId: ID) {
    testEvents(search: $search, partnerId: $partnerId, first: 20) {
      nodes { id name startsAt }
    }
  }
`);

const CHOSEN = graphql(`
  query ChosenEvent($id: ID!) {
    event(id: $id) { id name startsAt }
  }
`);

type EventToChoose = ResultOf<typeof FOUND>['testEvents']['nodes'][number];

/**
 * Test events by a part of the name.
 * @param partnerId whose they may be; empty for any
 */
export function useTestEvents(search: string, chosen: string, partnerId = ''): Found {
  const known = useView('chosen-event', CHOSEN, { id: chosen }, { enabled: chosen !== '' }).data?.event;
  const current = known?.id === chosen ? choiceOf(known) : undefined;
  const text = search === current?.label ? '' : search;
  const { data, isFetching } = useView('events-to-choose', FOUND, {
    search: text,
    partnerId: partnerId === '' ? null : partnerId,
  });
  return { options: withChosen((data?.testEvents.nodes ?? []).map(choiceOf), current), isFetching };
}

/** Names come again each season; the day tells them apart. */
function choiceOf({ id, name, startsAt }: EventToChoose) {
  return { value: id, label: `${name} (${startsAt.slice(0, 10)})` };
}
