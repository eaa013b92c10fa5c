import { createPublicKey, verify } from 'node:crypto';
import { tryUuidOf } from '../../../src/platform/identifier/type-id.ts';
import type { Floor } from './task.ts';

const STATEMENT = `
  select g.actions from consent_grant g join client c on c.id = g.client_id
  where g.id = $1 and g.revoked_at is null and c.status = 'enabled'`;

interface Claims {
  sub: string;
  scope: string;
  grant_id: string;
  iss: string;
  aud: string;
}

/** Verifies the token with a key that is kept, reads the grant in one statement. */
export const userinfo: Floor = ({ query, tokenKey }) => {
  const key = createPublicKey({ key: tokenKey, format: 'jwk' });
  return async ({ authorization }) => {
    const [header = '', payload = '', signature = ''] = authorization.slice('Bearer '.length).split('.');
    // on the event loop: a verification is too short to be worth a way to the pool
    const valid = verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
    if (!valid) throw new Error('the token is wrong');
    const { sub, scope, grant_id, iss, aud } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    const [grant] = await query<{ actions: string[] }>('userinfo', STATEMENT, [tryUuidOf('grant', grant_id)]);
    return JSON.stringify({ sub, scope, granted_actions: grant?.actions, grant_id, iss, aud });
  };
};
