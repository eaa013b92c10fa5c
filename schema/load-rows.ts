import type { EntityName, FilterQuery, FindOptions } from '@mikro-orm/core';
import type { ServiceContext } from '../src/runtime.ts';

/** Loaders: each is one statement for all that a level of a call refers to. */

type Rows<Entity> = {
  find(of: EntityName<Entity>, where: object, options?: FindOptions<Entity>): Promise<Entity[]>;
};

/**
 * Rows by their identifier.
 * @returns in the order of `ids`; an Error in the place of one that is not there
 */
export async function rowsById<Entity extends { id: string }>(
  { em }: Pick<ServiceContext, 'em'>,
  entity: EntityName<Entity>,
  ids: readonly string[],
): Promise<(Entity | Error)[]> {
  // the entity manager's own types can't see that every such entity has an `id`
  const rows = await (em as unknown as Rows<Entity>).find(entity, { id: { $in: ids } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? new Error(`there is no ${id}`));
}

/**
 * Rows that refer to each of some others.
 * @param reference property of the entity that refers to them
 * @param where which rows
 * @returns a list for each id, in the order of `ids`
 */
export async function rowsBy<Entity extends object>(
  { em }: Pick<ServiceContext, 'em'>,
  entity: EntityName<Entity>,
  reference: keyof Entity & string,
  ids: readonly string[],
  options: FindOptions<Entity> & { where?: FilterQuery<Entity> } = {},
): Promise<Entity[][]> {
  const { where = {}, ...rest } = options;
  const condition = { $and: [where, { [reference]: { $in: ids } }] };
  const rows = await (em as unknown as Rows<Entity>).find(entity, condition, rest as FindOptions<Entity>);
  const lists = new Map<string, Entity[]>(ids.map((id) => [id, []]));
  for (const row of rows) lists.get((row[reference] as { id: string }).id)?.push(row);
  return ids.map((id) => lists.get(id) ?? []);
}
