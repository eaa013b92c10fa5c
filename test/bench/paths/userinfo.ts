import { bearer } from '../load.ts';
import { obtainAccessTokens } from '../stage/obtain-access-tokens.ts';
import type { Path } from './path.ts';

/** As many fans as an app shows at a time; each token is used some 30 times. */
const TOKENS = 100;

/** `GET /oauth2/userinfo`. */
export const userinfo: Path = {
  title: 'userinfo',
  requests: 3_000,
  connections: 32,
  withoutPool: true,
  async prepare(stage) {
    const tokens = await obtainAccessTokens(stage.context(), stage.kit, TOKENS);
    return { method: 'GET', path: '/oauth2/userinfo', requests: tokens.map((token) => ({ headers: bearer(token) })) };
  },
};
