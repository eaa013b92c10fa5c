import { type EntityName, LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { knownId, nothingUnder } from '../identifier/known-id.ts';
import type { IdPrefix } from '../identifier/type-id.ts';

/** Locks a row that is read, to serialize changes of it. */
export const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/** The row under an identifier from outside. @throws DomainError `not_found`, also for an identifier of another kind */
export async function rowUnder<Entity extends { id: string }>(
  em: Pick<EntityManager, 'findOneOrFail'>,
  entity: EntityName<Entity>,
  prefix: IdPrefix,
  id: string,
  options: { lockMode?: LockMode; refresh?: boolean; populate?: readonly string[] } = {},
): Promise<Entity> {
  const failHandler = () => nothingUnder(prefix, id);
  const where = { id: knownId(prefix, id) };
  // the entity manager's types do not see the `id` of a generic entity
  return em.findOneOrFail(entity as EntityName<object>, where as never, { ...options, failHandler } as never) as never;
}
