/** Paths of the pages, by the service's names of kinds and references. */
const FOLDERS: Record<string, string> = {
  client: '/clients',
  partner: '/partners',
  fan: '/fans',
  grant: '/grants',
  permit: '/permits',
  listing: '/listings',
  claim: '/claims',
  proposal: '/proposals',
  event: '/events',
  ticket: '/tickets',
  import: '/imports',
  request: '/requests',
};

export const RUNBOOK = '/runbook';

/** The timeline of anything with an identifier. */
export function storyOf(text: string): string {
  return `/timeline?search=${encodeURIComponent(text)}`;
}

/** The page of a thing; undefined if only its timeline exists. @param kind `CLIENT`, `client` */
export function viewOf(kind: string, id: string): string | undefined {
  const folder = FOLDERS[kind.toLowerCase()];
  return folder === undefined ? undefined : `${folder}/${id}`;
}

/** Kinds of things by the prefixes of their identifiers. */
const KINDS: Record<string, string> = {
  client: 'client',
  ptn: 'partner',
  usr: 'fan',
  grant: 'grant',
  perm: 'permit',
  lst: 'listing',
  clm: 'claim',
  prop: 'proposal',
  evt: 'event',
  tkt: 'ticket',
  imp: 'import',
};

/** The page of what an identifier names: its own, otherwise its timeline; undefined where it has neither. */
export function pageOfId(id: string): string | undefined {
  const prefix = /^([a-z]+)_/.exec(id)?.[1] ?? '';
  const view = viewOf(KINDS[prefix] ?? '', id);
  return view ?? (prefix === 'sess' ? storyOf(id) : undefined);
}
