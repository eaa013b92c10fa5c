import type { EntityName } from '@mikro-orm/core';
import type { OutputRef } from '@pothos/core';
import { knownId } from '../src/platform/identifier/known-id.ts';
import type { IdPrefix } from '../src/platform/identifier/type-id.ts';
import { builder, right } from './builder.ts';
import { type Identified, rowsUnder } from './load-rows.ts';

/** A type over an entity. Fields of this type give the entity or its id. */
export function entityType<Entity extends Identified>(name: string, entity: EntityName<Entity>) {
  return builder.loadableObjectRef<Entity, string>(name, {
    load: rowsUnder(entity),
    toKey: ({ id }) => id,
    cacheResolved: true,
  });
}

/** Adds the query of one object by its id; null where there is none. @param prefix of its ids */
export function queryById(
  name: string,
  type: OutputRef<string | Identified>,
  entity: EntityName<Identified>,
  prefix: IdPrefix,
): void {
  builder.queryField(name, (t) =>
    t.field({
      type,
      nullable: true,
      authScopes: right('console:read'),
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, { context }) => context.em.findOne(entity, { id: knownId(prefix, id) }),
    }),
  );
}
