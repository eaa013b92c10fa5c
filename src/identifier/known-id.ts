import { DomainError } from '../errors.ts';
import { type IdPrefix, tryUuidOf } from './type-id.ts';

const KINDS: Readonly<Record<IdPrefix, string>> = {
  usr: 'fan',
  tkt: 'ticket',
  evt: 'event',
  typ: 'ticket type',
  grant: 'grant',
  sess: 'login session',
  perm: 'permit',
  lst: 'listing',
  clm: 'claim',
  ptn: 'partner',
  client: 'client',
  rev: 'review',
  stf: 'member of staff',
  stk: 'staff token',
  kill: 'kill switch',
  kit: 'starter kit',
};

/** An identifier that somebody typed: what is none of its kind belongs to nothing. @throws DomainError `not_found` */
export function knownId(prefix: IdPrefix, id: string): string {
  if (tryUuidOf(prefix, id) === undefined) throw nothingUnder(prefix, id);
  return id;
}

/** The refusal where nothing has this identifier. */
export function nothingUnder(prefix: IdPrefix, id: string): DomainError {
  return new DomainError('not_found', `There is no ${KINDS[prefix]} ${id.slice(0, 64)}.`);
}
