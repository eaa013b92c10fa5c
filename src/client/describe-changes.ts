import type { Context } from '../context.ts';
import type { Client } from '../entities/client.ts';
import { ClientReview, type ReviewedRegistration } from '../entities/client-review.ts';
import type { Id } from '../identifier/type-id.ts';

/** A part of a registration that differs between two moments. */
export interface RegistrationChange {
  field: keyof ReviewedRegistration;
  before: ReviewedRegistration[keyof ReviewedRegistration];
  after: ReviewedRegistration[keyof ReviewedRegistration];
  /** Of a list: entries that are new. */
  added: string[];
  /** Of a list: entries that are gone. */
  removed: string[];
}

/** The parts that approval freezes: they decide where codes go and what is asked of fans. */
const FROZEN: ReadonlySet<keyof ReviewedRegistration> = new Set(['redirectUris', 'scopes', 'loopbackAnyPort']);

/** The parts of a client that a review looks at, as they are now. */
export function registrationOf(client: Client): ReviewedRegistration {
  const { name, redirectUris, scopes, loopbackAnyPort, refreshRetryWindow } = client;
  return { name, redirectUris, scopes, loopbackAnyPort, refreshRetryWindow };
}

/** What differs between two registrations. The order of redirect URIs and scopes means nothing. */
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

/** Whether a change is one that asks for a new review. */
export function isFrozen({ field }: RegistrationChange): boolean {
  return FROZEN.has(field);
}

/**
 * The last approval of each client that has one, by the client's id. Its `registration` is what was approved:
 * `changesBetween` it and `registrationOf(client)` is what changed since.
 */
export async function lastApprovals(
  { em }: Pick<Context, 'em'>,
  clientIds: readonly Id<'client'>[],
): Promise<Map<string, ClientReview>> {
  const approvals = await em.find(
    ClientReview,
    { client: { $in: clientIds }, decision: 'approved' },
    { orderBy: { decidedAt: 'asc', id: 'asc' }, refresh: true },
  );
  // a later one takes the place of an earlier one
  return new Map(approvals.map((review) => [review.client.id, review]));
}
