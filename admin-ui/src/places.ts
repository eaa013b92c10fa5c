/** Kinds of things with a view of their own, by the names that the service gives kinds and references. */
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

/** The story of anything that the service can name. */
export function storyOf(text: string): string {
  return `/timeline?search=${encodeURIComponent(text)}`;
}

/** The view of its own that something has; undefined where its story is all there is. @param kind `CLIENT`, `client` */
export function viewOf(kind: string, id: string): string | undefined {
  const folder = FOLDERS[kind.toLowerCase()];
  return folder === undefined ? undefined : `${folder}/${id}`;
}
