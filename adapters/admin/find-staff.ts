import type { Context as Koa } from 'koa';
import type { ServiceContext } from '../../src/runtime.ts';
import { findSession } from '../../src/staff/find-session.ts';
import { findStaffToken } from '../../src/staff/find-staff-token.ts';
import type { SignedInStaff } from '../../src/staff/rights.ts';
import { deviceOf } from './read-call.ts';
import { readStaffCookie } from './staff-cookie.ts';

type StaffContext = Pick<ServiceContext, 'pool' | 'now' | 'config'>;

const STAFF_BEARER = /^Bearer +(st_[\w-]{43})$/i;

/**
 * The staff member who makes a call: by the access token in the Authorization header, else by the browser's session. With
 * a header that holds no token of ours there is none, whatever cookie comes with it.
 */
export async function findStaff(context: StaffContext, ctx: Koa): Promise<SignedInStaff | undefined> {
  const authorization = ctx.get('Authorization');
  if (authorization === '') return findStaffBySession(context, ctx);
  const token = STAFF_BEARER.exec(authorization)?.[1];
  return token === undefined ? undefined : findStaffToken(context, token);
}

/** The staff member who is signed in with the browser. */
export async function findStaffBySession(context: StaffContext, ctx: Koa): Promise<SignedInStaff | undefined> {
  const secret = readStaffCookie(ctx, context.config, 'session');
  return secret === undefined ? undefined : findSession(context, secret, deviceOf(ctx));
}
