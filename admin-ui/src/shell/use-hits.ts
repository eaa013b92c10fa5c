import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';

const SEARCH = graphql(`
  query Search($text: String!) {
    search(text: $text) { kind id title subtitle }
  }
`);

/** Kinds with a page of their own; the story of anything else is its timeline. */
const PAGES: Record<string, string> = {
  CLIENT: '/clients',
  PARTNER: '/partners',
  FAN: '/fans',
  GRANT: '/grants',
  PERMIT: '/permits',
  LISTING: '/listings',
  CLAIM: '/claims',
  REQUEST: '/requests',
};

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
      href: PAGES[kind] === undefined ? `/timeline?search=${encodeURIComponent(id)}` : `${PAGES[kind]}/${id}`,
    })),
    failure: error,
    isSearching: isFetching,
  };
}
