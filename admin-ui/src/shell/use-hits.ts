import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { storyOf, viewOf } from '../places.ts';

const SEARCH = graphql(`
  query Search($text: String!) {
    search(text: $text) { kind id title subtitle }
  }
`);

/** What the service finds for a text, with where it is shown. */
export function useHits(text: string) {
  const { data, error, isFetching } = useView('search', SEARCH, { text }, { enabled: text !== '' });
  const found = text === '' ? [] : (data?.search ?? []);
  return {
    hits: found.map(({ kind, id, title, subtitle }) => ({
      id,
      title,
      subtitle,
      kind: kind.toLowerCase(),
      href: viewOf(kind, id) ?? storyOf(id),
    })),
    failure: error,
    isSearching: isFetching,
  };
}
