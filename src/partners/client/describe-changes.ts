import type { Client, ReviewedRegistration } from '../../entities/client.ts';

/** A field that differs between two registrations. */
export interface RegistrationChange {
  field: keyof ReviewedRegistration;
  before: ReviewedRegistration[keyof ReviewedRegistration];
  after: ReviewedRegistration[keyof ReviewedRegistration];
  /** Entries of a list. */
  added: string[];
  removed: string[];
}

/**
 * The fields that approval freezes: where codes are sent, what fans are asked for, where they read what is done with it, and where their
 * tickets are sold.
 */
export type FrozenRegistration = Pick<
  ReviewedRegistration,
  'redirectUris' | 'scopes' | 'loopbackAnyPort' | 'privacyUrl' | 'marketplaces'
>;

type AddedLater = 'privacyUrl' | 'marketplaces';

/** Registrations of earlier releases lack some fields. */
export function frozenOf({
  redirectUris,
  scopes,
  loopbackAnyPort,
  privacyUrl = '',
  marketplaces = [],
}: Omit<FrozenRegistration, AddedLater> & Partial<Pick<FrozenRegistration, AddedLater>>): FrozenRegistration {
  return { redirectUris, scopes, loopbackAnyPort, privacyUrl, marketplaces };
}

/** The reviewed fields of a client's row: what is in force once it has been approved. */
export function registrationOf(client: Client): ReviewedRegistration {
  const { name, refreshRetryWindow } = client;
  return { name, ...frozenOf(client), refreshRetryWindow };
}

/** The order of a list is ignored. */
export function changesBetween(before: ReviewedRegistration, after: ReviewedRegistration): RegistrationChange[] {
  return (Object.keys(after) as (keyof ReviewedRegistration)[]).flatMap((field) => {
    const [old, now] = [before[field], after[field]];
    const [oldEntries, entries] = [Array.isArray(old) ? old : [], Array.isArray(now) ? now : []];
    const added = entries.filter((entry) => !oldEntries.includes(entry));
    const removed = oldEntries.filter((entry) => !entries.includes(entry));
    const same = Array.isArray(now) ? added.length + removed.length === 0 : old === now;
    return same ? [] : [{ field, before: old, after: now, added, removed }];
  });
}

/** How the frozen fields differ. */
export function frozenChanges(before: ReviewedRegistration, after: ReviewedRegistration): RegistrationChange[] {
  return changesBetween({ ...before, ...frozenOf(before) }, { ...before, ...frozenOf(after) });
}

/** The fields that differ, in the order of their entries too, as audit entries record them. */
export function beforeAndAfter(before: ReviewedRegistration, after: ReviewedRegistration) {
  const fields = (Object.keys(after) as (keyof ReviewedRegistration)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const of = (registration: ReviewedRegistration) =>
    Object.fromEntries(fields.map((field) => [field, registration[field]]));
  return { before: of(before), after: of(after) };
}
