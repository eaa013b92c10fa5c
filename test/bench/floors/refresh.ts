import { randomBytes } from 'node:crypto';
import { tryUuidOf } from '../../../src/platform/identifier/type-id.ts';
import type { Floor } from './task.ts';
import { hashOf, type TokenRow, tokenAnswer } from './tokens.ts';

const STATEMENT = `
  update refresh_token_family f set previous_secret_hash = $2, secret_hash = $3, rotated_at = now()
  from consent_grant g, client c
  where f.handle_hash = $1 and f.secret_hash = $2 and f.client_id = $4 and f.revoked_at is null and f.expires_at > now()
    and g.id = f.grant_id and g.revoked_at is null and c.id = f.client_id
  returning f.client_id, f.grant_id, null as nonce, floor(extract(epoch from f.authenticated_at))::int as auth_time,
    g.fan_id, g.scope, g.actions, c.mode`;

const HANDLE_BYTES = 16;

/** Rotates the refresh token in one statement, signs two RS256 tokens. */
export const refresh: Floor =
  ({ query }) =>
  async ({ body }) => {
    const form = new URLSearchParams(body);
    const token = Buffer.from((form.get('refresh_token') ?? '').slice('rt_'.length), 'base64url');
    const handle = token.subarray(0, HANDLE_BYTES);
    const successor = randomBytes(32);
    const [row] = await query<TokenRow>('refresh', STATEMENT, [
      hashOf(handle.toString('base64url')),
      hashOf(token.subarray(HANDLE_BYTES).toString('base64url')),
      hashOf(successor.toString('base64url')),
      tryUuidOf('client', form.get('client_id') ?? ''),
    ]);
    if (!row) throw new Error('the refresh token is wrong');
    return tokenAnswer(row, `rt_${Buffer.concat([handle, successor]).toString('base64url')}`);
  };
