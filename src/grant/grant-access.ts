import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import type { Mode } from '../entities/mode.ts';
import type { Uuid } from '../identifier/type-id.ts';
import type { Action } from '../oauth/scopes.ts';
import { type GrantClaims, grantRevoked, grantUuid, LIVE_GRANT } from './live-grant.ts';
import { actionNotGranted, grantsAction, requireAction } from './permission.ts';

/** Whom and what a token acts for, read with its live grant. */
export interface GrantAccess {
  grant_id: Uuid;
  fan_id: Uuid;
  partner_id: Uuid;
  mode: Mode;
  /** The fan's custodial wallet, base58. */
  wallet: string;
}

const readAccess = prepared<GrantAccess & { live: boolean; granted: boolean }>(`
  select ${LIVE_GRANT} as live, ${grantsAction('$2')} as granted, g.id as grant_id, g.fan_id, c.partner_id, c.mode, w.address as wallet
  from consent_grant g join client c on c.id = g.client_id join wallet w on w.fan_id = g.fan_id
  where g.id = $1`);

/** Reads a token's access for one action. @throws DomainError `grant_revoked`, `scope_missing` or `action_not_granted` */
export async function readGrantAccess(
  { pool }: Pick<Context, 'pool'>,
  token: GrantClaims,
  action: Action,
): Promise<GrantAccess> {
  const [access] = await readAccess(pool, [grantUuid(token), action]);
  if (!access?.live) throw grantRevoked();
  requireAction(token, action);
  if (!access.granted) throw actionNotGranted(action);
  return access;
}
