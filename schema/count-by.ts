import type { EntityName, FilterQuery } from '@mikro-orm/core';
import { raw } from '@mikro-orm/core';
import type { ServiceContext } from '../src/runtime.ts';

/**
 * How many rows of an entity refer to each of some others: one statement for all of them.
 * @param reference property of the entity that refers to them
 * @param ids identifiers of what is referred to
 * @param where which rows count
 * @returns a number for each id, in their order
 */
export async function countBy<Entity extends object>(
  { em }: Pick<ServiceContext, 'em'>,
  entity: EntityName<Entity>,
  reference: keyof Entity & string,
  ids: readonly string[],
  where: FilterQuery<Entity> = {},
): Promise<number[]> {
  const rows = await em
    .createQueryBuilder(entity as EntityName<object>, 'row')
    .select([`row.${reference}` as never, raw('count(*)::int as count')])
    .where({ $and: [where, { [reference]: { $in: ids } }] } as never)
    .groupBy(`row.${reference}` as never)
    .execute<Record<string, unknown>[]>('all');
  // an aggregate is no entity: the ORM leaves its key as the database has it, a bare `uuid`
  const { customType } =
    em
      .getMetadata(entity)
      .props.find(({ name }) => name === reference)
      ?.targetMeta?.getPrimaryProp() ?? {};
  const idOf = (key: unknown) => String(customType?.convertToJSValue(key, em.getPlatform()) ?? key);
  const counts = new Map(rows.map((row) => [idOf(row[reference]), Number(row.count)]));
  return ids.map((id) => counts.get(id) ?? 0);
}
