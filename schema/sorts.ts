import type { InputRef } from '@pothos/core';
import { builder } from './builder.ts';
import type { ListKey, ListSort } from './list-order.ts';

/**
 * The enum of a list's orders: by age, and by each of `keys`, both ways: `NAME` and `NAME_DESC`.
 * @param name of the enum: `PartnerSort`
 */
export function sortEnum<Entity>(
  name: string,
  keys: Readonly<Record<string, ListKey<Entity>>> = {},
): InputRef<ListSort<Entity>> {
  const values: Record<string, { value: ListSort<Entity> }> = {};
  for (const [each, key] of Object.entries({ created: undefined, ...keys })) {
    const written = each.replace(/[A-Z]/g, '_$&').toUpperCase();
    values[written] = { value: { key, descending: false } };
    values[`${written}_DESC`] = { value: { key, descending: true } };
  }
  const type = builder.enumType(name, {
    // the builder's types accept only strings and numbers
    values: values as never,
    description: 'CREATED_DESC, newest first, if omitted.',
  });
  return type as unknown as InputRef<ListSort<Entity>>;
}

/** For lists that are ordered by age alone. */
export const AgeSort = sortEnum<object>('AgeSort');

/** Oldest first: the order of a queue. */
export const OLDEST_FIRST: ListSort<object> = { key: undefined, descending: false };
