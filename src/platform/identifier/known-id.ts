import { DomainError } from '../errors.ts';
import { type Id, type IdPrefix, isId } from './type-id.ts';

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
  sva: 'service account',
  svt: 'token of a service account',
  imp: 'import run',
  kill: 'kill switch',
  kit: 'starter kit',
  move: 'custody move',
  prop: 'proposal',
  pky: 'passkey',
  mem: 'member of a partner',
  chk: 'go-live check',
  nep: 'notification endpoint',
  ntf: 'notification',
};

/** @throws DomainError `not_found` where an identifier from outside is not of that kind */
export function knownId<Prefix extends IdPrefix>(prefix: Prefix, id: string): Id<Prefix> {
  if (!isId(prefix, id)) throw nothingUnder(prefix, id);
  return id;
}

export function nothingUnder(prefix: IdPrefix, id: string): DomainError {
  return new DomainError('not_found', `There is no ${KINDS[prefix]} ${id.slice(0, 64)}.`);
}
