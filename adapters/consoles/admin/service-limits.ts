import type { Context as Koa } from 'koa';
import { isService, type StaffCaller } from '../../../src/partners/rights.ts';
import { createLimiter, type Limiter, limitCall } from '../../http/rate-limit.ts';

/** Counts a call. @throws DomainError `rate_limited` */
export type CountCall = (ctx: Koa, caller: StaffCaller) => Promise<void>;

/** Counts the calls of service accounts, each against its own limit. People have no limit here. */
export function serviceLimits(): CountCall {
  // one limiter for each limit that accounts have
  const limiters = new Map<number, Limiter>();
  return async (ctx, caller) => {
    if (!isService(caller)) return;
    const { callsPerMinute } = caller;
    const limiter = limiters.get(callsPerMinute) ?? createLimiter(callsPerMinute);
    limiters.set(callsPerMinute, limiter);
    const say = (seconds: number) =>
      `${caller.name} may make ${callsPerMinute} calls a minute. Wait ${seconds} seconds.`;
    await limitCall(ctx, limiter, caller.id, say);
  };
}
