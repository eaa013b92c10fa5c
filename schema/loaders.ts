import { type EntityName, type FilterQuery, type FindOptions, raw } from '@mikro-orm/core';
import type { OutputRef } from '@pothos/core';
import { knownId } from '../src/platform/identifier/known-id.ts';
import type { IdPrefix } from '../src/platform/identifier/type-id.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { builder, right } from './builder.ts';

/**
 * Loaders read all objects that one level of a GraphQL call refers to with one statement.
 *
 * @module
 */

/** The entity manager for a generic entity: its own types can't see that the entity has an `id`. */
interface Rows<Entity> {
  find(entity: EntityName<Entity>, where: object, options?: FindOptions<Entity>): Promise<Entity[]>;
}

export interface Identified {
  id: string;
}

/** What reads need of a call. */
interface Reader {
  context: Pick<ServiceContext, 'em'>;
}

/** Reads with one statement what all objects on a level of a call refer to. */
type Load<Result> = (ids: string[], call: Reader) => Promise<Result[]>;

/** The rows with these identifiers, in the same order. */
export function rowsUnder<Entity extends Identified>(entity: EntityName<Entity>) {
  return async (ids: string[], { context }: Reader): Promise<(Entity | Error)[]> => {
    const rows = await (context.em as unknown as Rows<Entity>).find(entity, { id: { $in: ids } });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? new Error(`there is no ${id}`));
  };
}

/**
 * The options of a field with the rows that refer to its object: `t.loadableList({ type, ...rowsBy(Listing, 'permit') })`.
 * @param reference the property that refers to it, or has its id
 */
export function rowsBy<Entity extends object>(
  entity: EntityName<Entity>,
  reference: keyof Entity & string,
  { where = {}, ...options }: FindOptions<Entity> & { where?: FilterQuery<Entity> } = {},
) {
  const load: Load<Entity[]> = async (ids, { context }) => {
    const condition = { $and: [where, { [reference]: { $in: ids } }] };
    const rows = await (context.em as unknown as Rows<Entity>).find(entity, condition, options as FindOptions<Entity>);
    const lists = Map.groupBy(rows, (row) => keyOf(row[reference]));
    return ids.map((id) => lists.get(id) ?? []);
  };
  return { load, resolve: idOf };
}

/** As `rowsBy`, where at most one row refers to the object. */
export function rowBy<Entity extends object>(...which: Parameters<typeof rowsBy<Entity>>) {
  const rows = rowsBy(...which);
  const load: Load<Entity | undefined> = async (ids, call) => (await rows.load(ids, call)).map(([row]) => row);
  return { nullable: true as const, load, resolve: idOf };
}

/** As `rowsBy`, but counts the rows. */
export function countBy<Entity extends object>(
  entity: EntityName<Entity>,
  reference: keyof Entity & string,
  where: FilterQuery<Entity> = {},
) {
  const load: Load<number> = async (ids, { context: { em } }) => {
    const rows = await em
      .createQueryBuilder(entity as EntityName<object>, 'row')
      .select([`row.${reference}` as never, raw('count(*)::int as count')])
      .where({ $and: [where, { [reference]: { $in: ids } }] } as never)
      .groupBy(`row.${reference}` as never)
      .execute<Record<string, unknown>[]>('all');
    // the ORM returns the key of an aggregate as the database stores it: a `uuid` without a prefix
    const property = em.getMetadata(entity).props.find(({ name }) => name === reference);
    const customType = property?.targetMeta?.getPrimaryProp().customType;
    const keyOf = (key: unknown) => String(customType?.convertToJSValue(key, em.getPlatform()) ?? key);
    const counts = new Map(rows.map((row) => [keyOf(row[reference]), Number(row.count)]));
    return ids.map((id) => counts.get(id) ?? 0);
  };
  return { type: 'Int' as const, load, resolve: idOf };
}

function keyOf(reference: unknown): string {
  return String(typeof reference === 'object' && reference !== null && 'id' in reference ? reference.id : reference);
}

function idOf({ id }: Identified): string {
  return id;
}

/** A type over an entity. Fields of this type return the entity or its id. */
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
