import { randomBytes } from 'node:crypto';
import { tryUuidOf } from '../../../src/platform/identifier/type-id.ts';
import type { Floor } from './task.ts';
import { hashOf, type TokenRow, tokenAnswer } from './tokens.ts';

const STATEMENT = `
  with spent as (
    update authorization_code set used_at = now()
    where hash = $1 and client_id = $2 and used_at is null and expires_at > now() and redirect_uri = $3 and code_challenge = $4
    returning client_id, grant_id, nonce, authenticated_at
  ), family as (
    insert into refresh_token_family (handle_hash, secret_hash, client_id, grant_id, authenticated_at, expires_at)
    select $5, $6, client_id, grant_id, authenticated_at, now() + interval '30 days' from spent
  )
  select spent.client_id, spent.grant_id, spent.nonce, floor(extract(epoch from spent.authenticated_at))::int as auth_time,
    g.fan_id, g.scope, g.actions, c.mode
  from spent join consent_grant g on g.id = spent.grant_id join client c on c.id = spent.client_id`;

/** Spends the code and creates the refresh token in one statement, signs two RS256 tokens. */
export const exchange: Floor =
  ({ query }) =>
  async ({ body }) => {
    const form = new URLSearchParams(body);
    const get = (name: string) => form.get(name) ?? '';
    const handle = randomBytes(16).toString('base64url');
    const secret = randomBytes(32).toString('base64url');
    const [row] = await query<TokenRow>('exchange', STATEMENT, [
      hashOf(get('code')),
      tryUuidOf('client', get('client_id')),
      get('redirect_uri'),
      hashOf(get('code_verifier')),
      hashOf(handle),
      hashOf(secret),
    ]);
    if (!row) throw new Error('the code is wrong');
    return tokenAnswer(row, `rt_${handle}${secret}`);
  };
