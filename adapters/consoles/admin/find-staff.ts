import type { Context as Koa } from 'koa';
import type { SignedInStaff, StaffCaller } from '../../../src/partners/rights.ts';
import { findSession } from '../../../src/people/account/find-session.ts';
import { findServiceAccount, findStaffToken } from '../../../src/people/staff/find-token.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { deviceOf } from '../../http/read-call.ts';
import { consoleCookies } from '../console-cookies.ts';

type StaffContext = Pick<ServiceContext, 'pool' | 'now' | 'config'>;

const BEARER = /^Bearer +(?<token>(?<kind>st|sv)_[\w-]{43})$/i;

/**
 * Finds the staff member or service account that makes a call: by the token in the Authorization header, or without that
 * header by the browser's session. A header without a token of ours identifies nobody, even with a valid cookie.
 */
export function findStaff(context: StaffContext, ctx: Koa): Promise<StaffCaller | undefined> {
  return ctx.get('Authorization') === '' ? findStaffBySession(context, ctx) : findByBearer(context, ctx);
}

/** The staff member or service account behind the token in the Authorization header. */
export async function findByBearer(context: StaffContext, ctx: Koa): Promise<StaffCaller | undefined> {
  const { token = '', kind } = BEARER.exec(ctx.get('Authorization'))?.groups ?? {};
  if (kind === undefined) return undefined;
  return kind.toLowerCase() === 'sv' ? findServiceAccount(context, token) : findStaffToken(context, token);
}

/** The staff member who is signed in with the browser. */
export async function findStaffBySession(context: StaffContext, ctx: Koa): Promise<SignedInStaff | undefined> {
  const secret = consoleCookies(context.config, 'staff').readSession(ctx);
  return secret === undefined ? undefined : findSession(context, secret, deviceOf(ctx));
}
