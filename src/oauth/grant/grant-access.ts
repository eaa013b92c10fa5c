import type { Action } from '../../partners/scopes.ts';
import type { Context } from '../../platform/context.ts';
import { givenRows, shareStatement } from '../../platform/database/share-statement.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { type GrantClaims, grantRevoked, grantUuid, LIVE_GRANT } from './live-grant.ts';
import { actionNotGranted, grantsAction, requireAction } from './permission.ts';

/** The fan and client that a token acts for, read with its live grant. */
export interface GrantAccess {
  grant_id: Uuid;
  fan_id: Uuid;
  partner_id: Uuid;
  mode: Mode;
  /** The fan's custodial wallet, base58. */
  wallet: string;
  /** Seconds by which a sandbox client has made its events end earlier; 0 in production (`eventTime`, D-305). */
  events_ahead: number;
}

interface AccessRow extends GrantAccess {
  n: number;
  live: boolean;
  granted: boolean;
}

const readAccess = shareStatement<{ grant: Uuid; action: Action }, AccessRow>(
  () => `
  select e.n, ${LIVE_GRANT} as live, ${grantsAction('e.action')} as granted, g.id as grant_id, g.fan_id, c.partner_id, c.mode,
    w.address as wallet, c.events_ahead
  from ${givenRows('"grant" uuid, action text')} e join consent_grant g on g.id = e."grant"
    join client c on c.id = g.client_id join wallet w on w.fan_id = g.fan_id`,
);

/**
 * Checks that a token and its grant permit an action, and reads the fan and client that the token acts for.
 * @throws DomainError `grant_revoked`, `scope_missing` or `action_not_granted`
 */
export async function readGrantAccess(
  { pool }: Pick<Context, 'pool'>,
  token: GrantClaims,
  action: Action,
): Promise<GrantAccess> {
  const access = await readAccess.together(pool, { grant: grantUuid(token), action });
  if (!access?.live) throw grantRevoked();
  requireAction(token, action);
  if (!access.granted) throw actionNotGranted(action);
  return access;
}
