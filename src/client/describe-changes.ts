import type { Context } from '../context.ts';
import { type Client, ClientReview, type ReviewedRegistration } from '../entities/client.ts';
import type { Id } from '../identifier/type-id.ts';

/** A field that differs between two registrations. */
export interface RegistrationChange {
  field: keyof ReviewedRegistration;
  before: ReviewedRegistration[keyof ReviewedRegistration];
  after: ReviewedRegistration[keyof ReviewedRegistration];
  /** Entries of a list. */
  added: string[];
  removed: string[];
}

/** Fields that approval freezes: they decide where codes go and what fans are asked for. */
const FROZEN: ReadonlySet<keyof ReviewedRegistration> = new Set(['redirectUris', 'scopes', 'loopbackAnyPort']);

/** The reviewed fields of a client as it is now. */
export function registrationOf(client: Client): ReviewedRegistration {
  const { name, redirectUris, scopes, loopbackAnyPort, refreshRetryWindow } = client;
  return { name, redirectUris, scopes, loopbackAnyPort, refreshRetryWindow };
}

/** The order of redirect URIs and scopes is ignored. */
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

/** Whether a change needs a new review. */
export function isFrozen({ field }: RegistrationChange): boolean {
  return FROZEN.has(field);
}

/** The last approval of each client that has one, by the client's id. Its `registration` is what was approved. */
export async function lastApprovals(
  { em }: Pick<Context, 'em'>,
  clientIds: readonly Id<'client'>[],
): Promise<Map<Id<'client'>, ClientReview>> {
  const approvals = await em.find(
    ClientReview,
    { client: { $in: clientIds }, decision: 'approved' },
    { orderBy: { decidedAt: 'asc', id: 'asc' }, refresh: true },
  );
  // of one client the last entry wins
  return new Map(approvals.map((review) => [review.client.id, review]));
}
