import type { Context as Koa } from 'koa';
import type { ServiceContext } from '../../src/runtime.ts';
import { findSession } from '../../src/staff/find-session.ts';
import { findStaffToken } from '../../src/staff/find-staff-token.ts';
import type { SignedInStaff } from '../../src/staff/rights.ts';
import { readStaffCookie } from './staff-cookie.ts';

const STAFF_BEARER = /^Bearer +(st_[\w-]{43})$/i;

/**
 * Who makes a call: by the access token in the Authorization header, or else by the browser's session. A header that holds
 * no token of ours is nobody, whatever cookie comes with it.
 */
export async function staffOf(
  context: Pick<ServiceContext, 'pool' | 'now' | 'config'>,
  ctx: Koa,
): Promise<SignedInStaff | undefined> {
  const authorization = ctx.get('Authorization');
  if (authorization !== '') {
    const token = STAFF_BEARER.exec(authorization)?.[1];
    return token === undefined ? undefined : findStaffToken(context, token);
  }
  const secret = readStaffCookie(ctx, context.config, 'session');
  return secret === undefined ? undefined : findSession(context, secret);
}
