/**
 * The accounts with which people sign in to a console: staff and members of partners. Both share the tables of sessions, one-time links
 * and provider sign-ins. The audience is in every row, and here in every condition, so that a row of one audience never opens, ends or
 * prolongs anything of the other.
 *
 * @module
 */
import type { Audience } from '../../entities/account.ts';
import { LOCAL_ISSUER } from '../../entities/staff.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Id, idOf, tryUuidOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';

export type AccountId = Id<'stf'> | Id<'mem'>;

/** The columns that select the rows of an account, and with which they are made. */
export function rowsOf(account: AccountId): { audience: Audience; accountId: Uuid } {
  const staff = tryUuidOf('stf', account);
  if (staff !== undefined) return { audience: 'staff', accountId: staff };
  return { audience: 'member', accountId: uuidOf('mem', account as Id<'mem'>) };
}

/** The account of a row. */
export function accountOf({ audience, accountId }: { audience: Audience; accountId: Uuid }): AccountId {
  return audience === 'staff' ? idOf('stf', accountId) : idOf('mem', accountId);
}

/** The name of an account as the actor of audit entries. */
export function accountActor(account: AccountId): string {
  return `${rowsOf(account).audience}:${account}`;
}

/** The issuer of this process's staff: after a change, sessions and tokens of the former issuer are invalid. */
export function staffIssuer({ staffProvider }: Pick<Config, 'staffProvider'>): string {
  return staffProvider?.issuer ?? LOCAL_ISSUER;
}
