import type { Context } from 'koa';
import type { CallPath } from '../../src/people/staff/confirm-session.ts';
import { type Device, readDevice } from '../../src/platform/device.ts';

/** The browser that makes a call. Our pages name its time zone. */
export function deviceOf(ctx: Context): Device {
  return readDevice(ctx.ip, ctx.get('User-Agent'), ctx.get('X-Time-Zone'));
}

/** Headers that proxies add to calls that they forward. */
const PROXY_HEADERS = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP', 'Via'];

/** How a call reached this process. */
export function pathOf(ctx: Context): CallPath {
  return {
    address: ctx.req.socket.remoteAddress ?? '',
    host: ctx.get('Host'),
    isForwarded: PROXY_HEADERS.some((name) => ctx.get(name) !== ''),
  };
}
