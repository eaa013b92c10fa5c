import type { GrantMode } from '../entities/consent-grant.ts';
import type { Mode } from '../entities/mode.ts';
import { LIVE_GRANT } from '../grant/live-grant.ts';
import { idOf, type Uuid } from '../identifier/type-id.ts';
import { actionsOf } from '../oauth/scopes.ts';
import type { TokenSubject } from './issue-tokens.ts';

/** What tokens need of a grant and its client, as `GRANT_COLUMNS` selects it. */
export interface GrantRow {
  live: boolean;
  grant_id: Uuid;
  fan_id: Uuid;
  mode: Mode;
  grant_mode: GrantMode;
  scope: string;
  actions: string[];
  /** When the phone was verified, in seconds since the epoch. */
  auth_time: number;
}

/** Columns of a `GrantRow` but for `grant_id` and `auth_time`, over `consent_grant g` and `client c`. */
export const GRANT_COLUMNS = `${LIVE_GRANT} as live, g.fan_id, c.mode, g.mode as grant_mode, g.scope, g.actions`;

/** The part of a token's subject that comes from its grant. */
export function grantSubject(
  row: GrantRow,
  scopes: string[],
): Omit<TokenSubject, 'clientId' | 'nonce' | 'refreshToken' | 'issuedAt'> {
  return {
    userId: idOf('usr', row.fan_id),
    mode: row.mode,
    grantId: idOf('grant', row.grant_id),
    grantMode: row.grant_mode,
    scopes,
    grantedActions: actionsOf(scopes).filter((action) => row.actions.includes(action)),
    authTime: row.auth_time,
  };
}
