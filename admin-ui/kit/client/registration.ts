/** A client's registration as it is typed. */
export interface Registration {
  name: string;
  mode: 'SANDBOX' | 'PRODUCTION';
  redirectUris: string[];
  scopes: string[];
  loopbackAnyPort: boolean;
  refreshRetryWindow: number;
  privacyUrl: string;
  marketplaces: string[];
}

/** What the form of a new client begins with. @param query of the page: `mode=PRODUCTION` begins with that mode */
export function newRegistration(query: URLSearchParams): Registration {
  return {
    name: '',
    mode: query.get('mode') === 'PRODUCTION' ? 'PRODUCTION' : 'SANDBOX',
    redirectUris: [''],
    scopes: ['openid', 'offline_access', 'fan:tickets:read'],
    loopbackAnyPort: false,
    refreshRetryWindow: 0,
    privacyUrl: '',
    marketplaces: [],
  };
}

/** What an edit needs of a client, as each application reads it. */
export interface EditedClient {
  mode: Registration['mode'];
  version: number;
  updatedAt: string;
  /** What the edit starts from: the registration, or the edit of it that waits for review. */
  registration: Omit<Registration, 'mode'>;
  /** Whether the registration is in force: approved, and changed only by a review. */
  isInForce: boolean;
  /** Whether an edit waits for review beside it. */
  isWaiting: boolean;
}

/** One difference between two states. */
export interface Difference {
  label: string;
  before: string | readonly string[];
  after: string | readonly string[];
}

/** Labels of the fields of a registration. */
const FIELD_NAMES = {
  name: 'Name',
  redirectUris: 'Redirect URIs',
  scopes: 'Scopes',
  loopbackAnyPort: 'Any port on loopback',
  refreshRetryWindow: 'Refresh retry window',
  privacyUrl: 'Privacy page',
  marketplaces: 'Marketplaces',
} as const;

type RegistrationField = keyof typeof FIELD_NAMES;
/** Fields of which an approved client's change only by a review. */
const REVIEWED: ReadonlySet<string> = new Set([
  'redirectUris',
  'scopes',
  'loopbackAnyPort',
  'privacyUrl',
  'marketplaces',
]);

type EditedRegistration = Omit<Registration, 'mode'>;

/** The label of a field of a registration; the field's own name where there is none. */
export function nameOfField(field: string): string {
  return FIELD_NAMES[field as RegistrationField] ?? field;
}

export function isReviewed(field: string): boolean {
  return REVIEWED.has(field);
}

/** Differences between registrations, as the service returns them, for a diff. */
export function asDifferences(changes: readonly { field: string; before: unknown; after: unknown }[]): Difference[] {
  return changes.map(({ field, before, after }) => ({
    label: nameOfField(field),
    before: asText(field, before),
    after: asText(field, after),
  }));
}

/** A value of a registration as text, for a diff. */
export function asText(field: string, value: unknown): string | readonly string[] {
  if (Array.isArray(value)) return field === 'marketplaces' && value.length === 0 ? 'Any' : value.map(String);
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (field === 'privacyUrl' && value === '') return 'None';
  return field === 'refreshRetryWindow' ? `${String(value)} s` : String(value ?? '');
}

/** What differs between two registrations. */
export function differencesBetween(before: EditedRegistration, after: EditedRegistration): Difference[] {
  return fieldsThatDiffer(before, after).map((field) => ({
    label: FIELD_NAMES[field],
    before: asText(field, before[field]),
    after: asText(field, after[field]),
  }));
}

export function fieldsThatDiffer(before: EditedRegistration, after: EditedRegistration): RegistrationField[] {
  return (Object.keys(FIELD_NAMES) as RegistrationField[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
}

/** An entry of a list, and whether it is new or gone. */
export interface MarkedEntry {
  value: string;
  mark: 'added' | 'removed' | 'same';
}

/** The entries of a list after a change, then the removed ones. @param before the list so far; undefined without one to compare with */
export function markChanges(before: readonly string[] | undefined, after: readonly string[]): MarkedEntry[] {
  const gone = before?.filter((value) => !after.includes(value)) ?? [];
  return [
    ...after.map((value) => ({ value, mark: before && !before.includes(value) ? 'added' : 'same' }) as const),
    ...gone.map((value) => ({ value, mark: 'removed' }) as const),
  ];
}

export function isMarked(mark: MarkedEntry['mark']): mark is 'added' | 'removed' {
  return mark !== 'same';
}

/** Whether a client's registration is in force: approved, and changed only by a review. */
export function isInForce({ status }: { status: string }): boolean {
  return status === 'APPROVED' || status === 'ENABLED' || status === 'SUSPENDED';
}

/** The scope by which an app lists tickets. */
const LISTS = 'fan:listings:write';

/** Whether the marketplaces of a registration matter: it lists tickets, or names some all the same. */
export function hasMarketplaces({ scopes, marketplaces }: NamedMarketplaces): boolean {
  return scopes.includes(LISTS) || marketplaces.length > 0;
}

/** Whether a client lists tickets of production on any marketplace, as only those could that were approved before there was the list. */
export function listsAnywhere(mode: Registration['mode'], { scopes, marketplaces }: NamedMarketplaces): boolean {
  return mode === 'PRODUCTION' && scopes.includes(LISTS) && marketplaces.length === 0;
}

interface NamedMarketplaces {
  scopes: readonly string[];
  marketplaces: readonly string[];
}

/** A client as the page of it reads it, for an edit. */
export interface ClientToEdit extends Registration {
  id: string;
  status: string;
  version: number;
  updatedAt: string;
  corsOrigins: string[];
}

/** An edit that waits for review beside the registration in force. */
export interface WaitingEdit {
  registration: Pick<Registration, 'redirectUris' | 'scopes' | 'loopbackAnyPort' | 'privacyUrl' | 'marketplaces'>;
  changes: readonly { field: string; before: unknown; after: unknown }[] | null;
}

/** A client for an edit of it, which goes on from one that waits for review. */
export function editedOf(client: ClientToEdit, waiting: WaitingEdit | null | undefined): EditedClient {
  const { name, refreshRetryWindow, mode, version, updatedAt } = client;
  const { redirectUris, scopes, loopbackAnyPort, privacyUrl, marketplaces } = waiting?.registration ?? client;
  return {
    ...{ mode, version, updatedAt },
    registration: { name, redirectUris, scopes, loopbackAnyPort, refreshRetryWindow, privacyUrl, marketplaces },
    isInForce: isInForce(client),
    isWaiting: waiting != null,
  };
}
