import type { GrantMode } from '../entities/consent-grant.ts';
import type { Mode } from '../entities/mode.ts';
import { LIVE_GRANT } from './live-grant.ts';

/** The part of a grant and its client that tokens are made of, as `grantColumns` selects it. */
export interface GrantRow {
  live: boolean;
  grant_id: string;
  fan_id: string;
  mode: Mode;
  grant_mode: GrantMode;
  scope: string;
  actions: string[];
}

/** Columns of a `GrantRow` but for `grant_id`, over `consent_grant g` and `client c`. */
export const GRANT_COLUMNS = `${LIVE_GRANT} as live, g.fan_id, c.mode, g.mode as grant_mode, g.scope, g.actions`;
