import { type Id, type IdPrefix, idOf, type Uuid } from '../../platform/identifier/type-id.ts';

/** The kinds of subjects with the prefixes of their identifiers. A request's identifier is a bare `uuid`. */
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
  import: 'imp',
} as const satisfies Record<string, IdPrefix>;

export const SUBJECT_KINDS = [...(Object.keys(SUBJECT_PREFIX) as (keyof typeof SUBJECT_PREFIX)[]), 'request'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

type SubjectOf<Kind extends SubjectKind> = Kind extends keyof typeof SUBJECT_PREFIX
  ? { kind: Kind; id: Id<(typeof SUBJECT_PREFIX)[Kind]> }
  : { kind: Kind; id: Uuid };

/** What a timeline is about. */
export type Subject = { [Kind in SubjectKind]: SubjectOf<Kind> }[SubjectKind];

/** The subject over the `uuid` of a row. */
export function subjectOf(kind: keyof typeof SUBJECT_PREFIX, uuid: Uuid): Subject {
  return { kind, id: idOf(SUBJECT_PREFIX[kind], uuid) } as Subject;
}
