/** Paths of the pages, by the service's names of kinds and references. */
const FOLDERS: Record<string, string> = {
  client: '/clients',
  partner: '/partners',
  fan: '/fans',
  grant: '/grants',
  permit: '/permits',
  listing: '/listings',
  claim: '/claims',
  request: '/requests',
};

/** The timeline of anything with an identifier. */
export function storyOf(text: string): string {
  return `/timeline?search=${encodeURIComponent(text)}`;
}

/** The page of a thing; undefined if only its timeline exists. @param kind `CLIENT`, `client` */
export function viewOf(kind: string, id: string): string | undefined {
  const folder = FOLDERS[kind.toLowerCase()];
  return folder === undefined ? undefined : `${folder}/${id}`;
}
