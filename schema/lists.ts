import { type EntityName, type FilterQuery, type FindOptions, type QueryOrderMap, raw } from '@mikro-orm/core';
import { type ResolveCursorConnectionArgs, resolveCursorConnection } from '@pothos/plugin-relay';
import { DomainError } from '../src/platform/errors.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { beyond, ID, type ListSort, readCursor, writeCursor } from './list-order.ts';

/** Default and maximum number of rows in a page. */
export const PAGE_SIZE = 25;
export const MAX_PAGE_SIZE = 100;

/** Counting stops here: a list of millions must not be read to its end for one figure. */
export const MOST_COUNTED = 10_000;

/** The arguments that `t.connection` gives a field. */
export interface PageArguments {
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  before?: string | null | undefined;
}

/** The most rows that a page may have. */
export function pageSizeOf({ first, last }: Pick<PageArguments, 'first' | 'last'>): number {
  return Math.min(first ?? last ?? PAGE_SIZE, MAX_PAGE_SIZE);
}

/** A condition on rows; falsy where an argument that was left out does not filter. */
type Condition<Entity> = FilterQuery<Entity> | false | '' | null | undefined;

/** What a list is asked for: a page and its order; newest first where no order is given. */
type ListArguments<Entity> = PageArguments & { sort?: ListSort<NoInfer<Entity>> | null | undefined };

/**
 * A page of a list. It begins after the last row of the page before, so every page costs the same. Entries are only counted
 * if the call selects the total, and then up to a limit.
 * @param conditions that every row matches
 * @param id the unique property that grows with time
 * @throws DomainError `invalid_request` for a bad cursor or size
 */
export async function pageOf<Entity extends object>(
  { em }: Pick<ServiceContext, 'em'>,
  entity: EntityName<Entity>,
  args: ListArguments<Entity>,
  conditions: readonly Condition<Entity>[],
  id = ID,
) {
  checkPageSize(args);
  const where = { $and: conditions.filter(Boolean) };
  const { key, descending } = args.sort ?? { key: undefined, descending: true };
  // the entity manager's own types do not allow a property that is only known at run time
  const rows = em as unknown as {
    find(of: EntityName<Entity>, where: object, options: FindOptions<Entity>): Promise<Entity[]>;
  };
  const page = await resolveCursorConnection(
    { args, defaultSize: PAGE_SIZE, maxSize: MAX_PAGE_SIZE, toCursor: (row: Entity) => writeCursor(row, id, key) },
    async ({ before, after, limit, inverted }: ResolveCursorConnectionArgs) => {
      // only the total is wanted
      if (args.first === 0 || args.last === 0) return [];
      const within = [
        ...(after === undefined ? [] : [beyond(readCursor(after, 'after', key), id, key, descending)]),
        ...(before === undefined ? [] : [beyond(readCursor(before, 'before', key), id, key, !descending)]),
      ];
      const direction = descending === inverted ? 'asc' : 'desc';
      // a row without a value sorts before all others
      const nulls = direction === 'asc' ? 'asc nulls first' : 'desc nulls last';
      // an index on a column without nulls serves neither order of nulls
      const byKey = key && { [key.column()]: key.nullable ? nulls : direction };
      const orderBy = [...(byKey ? [byKey] : []), { [id.property]: direction }];
      const options = { orderBy: orderBy as QueryOrderMap<Entity>[], limit };
      return rows.find(entity, { $and: [where, ...within] }, options).catch(refuseCursor);
    },
  );
  return { ...page, countUpTo: countOnce({ em }, entity as EntityName<object>, where) };
}

/** @throws DomainError `invalid_request` for a bad size */
export function checkPageSize({ first, last }: PageArguments): void {
  for (const [name, size] of Object.entries({ first, last })) {
    if (size != null && (size < 0 || size > MAX_PAGE_SIZE)) {
      throw new DomainError('invalid_request', `${name} must be 0 to ${MAX_PAGE_SIZE}.`);
    }
  }
}

/** Counts the rows of a list when it is first asked for. @returns at most one more than `MOST_COUNTED` */
function countOnce({ em }: Pick<ServiceContext, 'em'>, entity: EntityName<object>, where: object) {
  let counted: Promise<number> | undefined;
  return () => {
    counted ??= (async () => {
      const some = em.createQueryBuilder(entity, 'row').select(raw('1') as never);
      const few = some.where(where as never).limit(MOST_COUNTED + 1);
      const row = await em
        .createQueryBuilder(few, 'few')
        .select(raw('count(*)::int as count') as never)
        .execute('get');
      return (row as unknown as { count: number } | null)?.count ?? 0;
    })();
    return counted;
  };
}

function refuseCursor(error: unknown): never {
  const foreign = error instanceof TypeError && error.message.startsWith('not a ');
  throw foreign ? new DomainError('invalid_request', 'The cursor belongs to another list.') : error;
}

/** A text to compare a column with. PostgreSQL's text can't contain NUL, so one with a NUL equals nothing. */
export function literally(text: string): string {
  return text.trim().replaceAll('\0', '\ufffd');
}

/**
 * A condition: the column contains `text`, ignoring case. Takes half the time of `ilike`: 50 to 90 ms for a few hundred thousand
 * names. An index would need `pg_trgm`, which the service's role may not be allowed to create.
 * @param column as the database names it
 */
export function containing(column: string, text: string): { [lowered: string]: { $like: unknown } } {
  const literal = literally(text).replace(/[\\%_]/g, '\\$&');
  return { [raw((alias) => `lower(${alias}.${column})`)]: { $like: raw('lower(?)', [`%${literal}%`]) } };
}
