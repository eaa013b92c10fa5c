/**
 * The accounts with which people sign in to a console: of staff, and as a member of a partner. Their sessions, one-time links and
 * sign-ins through a provider are of one kind. The audience is in every row, and here in every condition: nothing of one
 * audience opens, ends or prolongs anything of the other.
 *
 * @module
 */
import type { Audience } from '../../entities/account.ts';
import { LOCAL_ISSUER } from '../../entities/staff.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Id, idOf, tryUuidOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';

export type AccountId = Id<'stf'> | Id<'mem'>;

/** The condition for rows of an account, and what they are made with. */
export function rowsOf(account: AccountId): { audience: Audience; accountId: Uuid } {
  const staff = tryUuidOf('stf', account);
  if (staff !== undefined) return { audience: 'staff', accountId: staff };
  return { audience: 'member', accountId: uuidOf('mem', account as Id<'mem'>) };
}

/** The account that a row is of. */
export function accountOf({ audience, accountId }: { audience: Audience; accountId: Uuid }): AccountId {
  return audience === 'staff' ? idOf('stf', accountId) : idOf('mem', accountId);
}

/** How audit entries name an account as the one that acts. */
export function accountActor(account: AccountId): string {
  return `${rowsOf(account).audience}:${account}`;
}

/** The issuer of this process's staff: after a change, sessions and tokens of the former issuer are invalid. */
export function staffIssuer({ staffProvider }: Pick<Config, 'staffProvider'>): string {
  return staffProvider?.issuer ?? LOCAL_ISSUER;
}
