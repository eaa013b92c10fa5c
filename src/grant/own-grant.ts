import { DomainError } from '../errors.ts';
import { tryUuidOf, type Uuid } from '../identifier/type-id.ts';

/** The `uuid` of a grant that a fan names. @throws DomainError `not_found` where the text is no grant's identifier */
export function ownGrantUuid(grantId: string): Uuid {
  const uuid = tryUuidOf('grant', grantId);
  if (uuid === undefined) throw noSuchGrant();
  return uuid;
}

/** The refusal where a fan has no such live grant: it does not exist, belongs to another fan, or has ended. */
export function noSuchGrant(): DomainError {
  return new DomainError('not_found', 'This access does not exist, or has been ended already.');
}
