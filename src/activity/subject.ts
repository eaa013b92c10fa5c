import type { IdPrefix } from '../identifier/type-id.ts';

/** What a story can be told of, with the prefix of its identifier. A request's identifier is a bare `uuid`. */
export const SUBJECT_PREFIX = {
  client: 'client',
  grant: 'grant',
  fan: 'usr',
  session: 'sess',
  ticket: 'tkt',
  permit: 'perm',
  listing: 'lst',
  claim: 'clm',
  partner: 'ptn',
  event: 'evt',
} as const satisfies Record<string, IdPrefix>;

export const SUBJECT_KINDS = [...(Object.keys(SUBJECT_PREFIX) as (keyof typeof SUBJECT_PREFIX)[]), 'request'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** One thing that a story can be told of. */
export interface Subject {
  kind: SubjectKind;
  /** A TypeID; for a request its `uuid`. */
  id: string;
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
