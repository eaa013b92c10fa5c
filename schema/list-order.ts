/**
 * Orders of lists, and the cursors that name a place in them. Every order ends in the unique identifier, so rows with equal
 * values keep their places from page to page.
 *
 * @module
 */
import { raw } from '@mikro-orm/core';
import { DomainError } from '../src/platform/errors.ts';

/** A sort key of a list. Identifiers order the rows with equal values. */
export interface ListKey<Entity> {
  /** The property, or an SQL expression over it; a new one for each use. */
  column(): string;
  /** Whether some rows have no value. */
  nullable: boolean;
  /** The value in a cursor; null where the row has none. */
  valueOf(entity: Entity): string | null;
  /** Converts the value of a cursor for the comparison with the column. */
  read(text: string): unknown;
}

/** A key with a direction; without a key, the order of the identifiers. */
export interface ListSort<Entity> {
  key: ListKey<Entity> | undefined;
  descending: boolean;
}

/** A unique property that grows with time. */
export const ID = {
  property: 'id',
  valueOf: (entity: object) => String((entity as { id: unknown }).id),
};

/** Orders by a text, ignoring case. @param column as the database names it */
export function byText<Name extends string>(column: string, name: Name): ListKey<{ [Property in Name]: string }> {
  return {
    column: () => raw((alias) => `lower(${alias}.${column})`) as unknown as string,
    nullable: false,
    valueOf: (entity) => entity[name],
    read: (text) => raw('lower(?)', [text]),
  };
}

/** Orders by a time; rows without one come first. */
export function byMoment<Name extends string>(
  name: Name,
  { nullable }: { nullable: boolean },
): ListKey<{ [Property in Name]?: Date | null | undefined }> {
  return {
    column: () => name,
    nullable,
    valueOf: (entity) => entity[name]?.toISOString() ?? null,
    read: (text) => {
      if (Number.isNaN(Date.parse(text)))
        throw new DomainError('invalid_request', 'The cursor belongs to another list.');
      return new Date(text);
    },
  };
}

/** Orders by the place of a value in a list, such as the states of a life cycle. @param column as the database names it */
export function byPlace<Name extends string, Value extends string>(
  column: string,
  name: Name,
  values: readonly Value[],
): ListKey<{ [Property in Name]: Value }> {
  const list = values.map((value) => `'${value}'`).join(', ');
  return {
    column: () => raw((alias) => `array_position(array[${list}], ${alias}.${column})`) as unknown as string,
    nullable: false,
    valueOf: (entity) => String(values.indexOf(entity[name]) + 1),
    read: Number,
  };
}

/** A place in a list: the identifier of a row and, in an order by a key, its value. */
interface Place {
  id: string;
  value: string | null;
}

/** The cursor of a row. */
export function writeCursor<Entity extends object>(
  row: Entity,
  id: typeof ID,
  key: ListKey<Entity> | undefined,
): string {
  if (key === undefined) return id.valueOf(row);
  return Buffer.from(JSON.stringify([id.valueOf(row), key.valueOf(row)])).toString('base64url');
}

/** @param name the argument that has the cursor @throws DomainError `invalid_request` */
export function readCursor(text: string, name: string, key: ListKey<never> | undefined): Place {
  const place = key === undefined ? { id: text, value: null } : readPair(text);
  // the column's type checks the prefix
  if (place && /^[\w-]{1,90}$/.test(place.id)) return place;
  throw new DomainError('invalid_request', `${name} is not a cursor of this list.`);
}

function readPair(cursor: string): Place | undefined {
  try {
    const [id, value] = JSON.parse(Buffer.from(cursor.slice(0, 2_000), 'base64url').toString()) as unknown[];
    const isValue = value === null || (typeof value === 'string' && !value.includes('\0') && value.isWellFormed());
    return typeof id === 'string' && isValue ? { id, value } : undefined;
  } catch {
    return undefined;
  }
}

/** The condition of the rows after a place, in the direction of the list. */
export function beyond(
  { id, value }: Place,
  { property }: typeof ID,
  key: ListKey<never> | undefined,
  descending: boolean,
): object {
  const further = descending ? '$lt' : '$gt';
  const after = { [property]: { [further]: id } };
  if (key === undefined) return after;
  if (value === null) {
    const among = { $and: [{ [key.column()]: null }, after] };
    return descending ? among : { $or: [among, { [key.column()]: { $ne: null } }] };
  }
  const rest = [
    { [key.column()]: { [further]: key.read(value) } },
    { $and: [{ [key.column()]: key.read(value) }, after] },
  ];
  if (key.nullable) return { $or: descending ? [...rest, { [key.column()]: null }] : rest };
  // lets the index scan begin at the value; the alternatives alone would make it begin at the first row
  return { $and: [{ [key.column()]: { [`${further}e`]: key.read(value) } }, { $or: rest }] };
}
