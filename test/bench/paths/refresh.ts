import { FORM } from '../load.ts';
import { issueRefreshTokens } from '../stage/issue-refresh-tokens.ts';
import type { Path } from './path.ts';

/** `POST /oauth2/token` with refresh tokens of families that were never refreshed. */
export const refresh: Path = {
  title: 'refresh',
  requests: 1_000,
  connections: 32,
  withoutPool: true,
  async prepare(stage, count) {
    const tokens = await issueRefreshTokens(stage.context(), stage.kit, count);
    const requests = tokens.map((token) => {
      const form = { grant_type: 'refresh_token', client_id: stage.kit.client_id, refresh_token: token };
      return { headers: FORM, body: new URLSearchParams(form).toString() };
    });
    return { method: 'POST', path: '/oauth2/token', requests };
  },
};
