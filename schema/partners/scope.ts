import type { EntityName } from '@mikro-orm/core';
import { knownId, nothingUnder } from '../../src/platform/identifier/known-id.ts';
import type { Id, IdPrefix } from '../../src/platform/identifier/type-id.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import type { Identified } from '../load-rows.ts';
import type { PartnerCall } from './context.ts';

/**
 * The scope of the partner workspace. Every resolver of a query or mutation, and every reference that could lead to another
 * partner, has `own(call)` or `ownOrShared(call)` in it. What a row refers to otherwise has the partner of that row. `test/schema/partners/isolation.test.ts` walks the schema for a
 * field that reaches another partner, and `test/mutation/scopes.ts` drops each of these words in turn.
 *
 * @module
 */

/** The condition on rows of the caller's partner. */
export function own({ member }: PartnerCall): { partner: Id<'ptn'> } {
  return { partner: member.partner };
}

/** The condition on test data that the caller's partner can use: its own, and what is for every partner. */
export function ownOrShared({ member }: PartnerCall) {
  return { $or: [{ partner: null }, { partner: member.partner }] };
}

/**
 * A row of the caller's partner by its id.
 * @throws DomainError `not_found` where there is none, and in the same words where it is another partner's
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
