import type { EntityName, FilterQuery, FindOptions } from '@mikro-orm/core';
import { resolveCursorConnection } from '@pothos/plugin-relay';
import { DomainError } from '../src/errors.ts';
import type { ServiceContext } from '../src/runtime.ts';

/** Rows of a page by default, and at most. */
const PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 100;

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

/** The order of a list that is not ordered by `id`. */
interface ListKey<Entity> {
  /** A unique property that grows with time. */
  property: string;
  valueOf(entity: Entity): string;
}

const ID: ListKey<object> = {
  property: 'id',
  valueOf: (entity) => String((entity as { id: unknown }).id),
};

/** A condition on rows; falsy where an argument that was left out does not filter. */
type Condition<Entity> = FilterQuery<Entity> | false | '' | null | undefined;

/**
 * A page of a list, newest first. Identifiers grow with time, so a page begins after the last row of the page before and
 * every page costs the same. The total is only counted if the call selects it.
 * @param conditions all of them hold
 * @throws DomainError `invalid_request` for a bad cursor or size
 */
export async function pageOf<Entity extends object>(
  { em }: Pick<ServiceContext, 'em'>,
  entity: EntityName<Entity>,
  args: PageArguments,
  conditions: readonly Condition<Entity>[],
  key: ListKey<Entity> = ID,
) {
  for (const [name, size] of [
    ['first', args.first],
    ['last', args.last],
  ] as const) {
    if (size != null && (size < 0 || size > MAX_PAGE_SIZE)) {
      throw new DomainError('invalid_request', `${name} must be 0 to ${MAX_PAGE_SIZE}.`);
    }
  }
  const where = { $and: conditions.filter(Boolean) };
  // the entity manager's own types do not allow a property that is only known at run time
  const rows = em as unknown as {
    find(of: EntityName<Entity>, where: object, options: FindOptions<Entity>): Promise<Entity[]>;
    count(of: EntityName<Entity>, where: object): Promise<number>;
  };
  const page = await resolveCursorConnection(
    { args, defaultSize: PAGE_SIZE, maxSize: MAX_PAGE_SIZE, toCursor: (row: Entity) => key.valueOf(row) },
    ({ before, after, limit, inverted }: { before?: string; after?: string; limit: number; inverted: boolean }) => {
      const bounds = {
        ...(after !== undefined && { $lt: cursorOf(after, 'after') }),
        ...(before !== undefined && { $gt: cursorOf(before, 'before') }),
      };
      const within = Object.keys(bounds).length > 0 ? { [key.property]: bounds } : {};
      const options = { orderBy: { [key.property]: inverted ? 'asc' : 'desc' }, limit } as FindOptions<Entity>;
      return rows.find(entity, { $and: [where, within] }, options).catch(refuseCursor);
    },
  );
  return { ...page, totalCount: () => rows.count(entity, where) };
}

/** A cursor is the key of a row; the column's type checks its prefix. */
function cursorOf(text: string, name: string): string {
  if (!/^[\w-]{1,90}$/.test(text)) throw new DomainError('invalid_request', `${name} is not a cursor of this list.`);
  return text;
}

function refuseCursor(error: unknown): never {
  const foreign = error instanceof TypeError && error.message.startsWith('not a ');
  throw foreign ? new DomainError('invalid_request', 'The cursor is of another list.') : error;
}

/** A condition on a column: it contains `text`, in either case. */
export function containing(text: string): { $ilike: string } {
  // PostgreSQL's text can't contain NUL, so a text with one matches nothing
  const literal = text
    .trim()
    .replaceAll('\0', '\ufffd')
    .replace(/[\\%_]/g, '\\$&');
  return { $ilike: `%${literal}%` };
}
