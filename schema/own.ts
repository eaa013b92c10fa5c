import type { EntityName } from '@mikro-orm/core';
import { knownId, nothingUnder } from '../src/platform/identifier/known-id.ts';
import type { Id, IdPrefix } from '../src/platform/identifier/type-id.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { type Call, isMember, memberOf, staffOf } from './context.ts';
import type { Identified } from './loaders.ts';

/**
 * The data that a caller may reach: for a member of a partner that of the partner, for staff everything. Every resolver of a query
 * or mutation for partners, and every reference that could lead to another partner, calls one of these functions. All other
 * references stay within the partner of their row. `test/schema/partners/isolation.test.ts` walks the partners' schema for a field that
 * reaches another partner, and `test/mutation/scopes.ts` drops each of these calls in turn.
 *
 * @module
 */

/** The condition on rows of the caller's partner; none for staff. */
export function own(call: Call): { partner?: Id<'ptn'> } {
  if (isMember(call.viewer)) return { partner: call.viewer.partner };
  staffOf(call);
  return {};
}

/** The condition on test data that the caller's partner can use: its own, and data shared by all partners; none for staff. */
export function ownOrShared(call: Call): object {
  const { partner } = own(call);
  return partner === undefined ? {} : usableBy(partner);
}

/** The condition on test data that a partner can use. */
export function usableBy(partner: Id<'ptn'>) {
  return { $or: [{ partner: null }, { partner }] };
}

/** The options of a field of test data. */
export const IS_SHARED = {
  description: 'Whether every partner can use it, and not yours alone.',
  resolve: ({ partner }: { partner?: unknown }) => partner == null,
};

/** The partner of the calling member, for fields that only partners have. */
export function ownPartner(call: Call): Id<'ptn'> {
  return memberOf(call).partner;
}

/**
 * A row of a scope by its id.
 * @throws DomainError `not_found` where there is no such row, with the same message where it is another partner's
 */
export async function requireOwn<Prefix extends IdPrefix>(
  { em }: Pick<ServiceContext, 'em'>,
  entity: EntityName<Identified>,
  prefix: Prefix,
  id: string,
  scope: object,
): Promise<Id<Prefix>> {
  const known = knownId(prefix, id);
  const found = await em.count(entity, { $and: [{ id: known }, scope] } as never);
  if (found === 0) throw nothingUnder(prefix, id);
  return known;
}

/** As `requireOwn`, for several. */
export async function requireAllOwn<Prefix extends IdPrefix>(
  { em }: Pick<ServiceContext, 'em'>,
  entity: EntityName<Identified>,
  prefix: Prefix,
  ids: readonly string[],
  scope: object,
): Promise<Id<Prefix>[]> {
  const known = ids.map((id) => knownId(prefix, id));
  const rows = await em.find(entity, { $and: [{ id: { $in: known } }, scope] } as never, { fields: ['id'] as never });
  const found = new Set<string>(rows.map(({ id }) => id));
  const missing = known.find((id) => !found.has(id));
  if (missing !== undefined) throw nothingUnder(prefix, missing);
  return known;
}
