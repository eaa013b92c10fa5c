import { DomainError } from '../errors.ts';
import type { ReachableNumber } from './check-number.ts';
import type { CodeLimiter, WithCodeLimiters } from './code-limiters.ts';
import { countOutcome } from './code-outcomes.ts';
import { networkOf } from './network-of.ts';

type Limiters = WithCodeLimiters;

/** Who asks for a code, and for whom. */
export interface CodeRequest {
  number: ReachableNumber;
  /** Of the browser, as `ctx.ip` has it. */
  address: string;
  /** The client that the fan signs in to; undefined for the fan's own portal. */
  clientId: string | undefined;
}

/**
 * Counts a request for a code, also one that is refused. One after the other: who is refused for the address takes
 * nothing away from the number, and who is refused for the number nothing from others of its range; a number's hour
 * goes before its day, so that nobody can use up the day of another by one burst.
 * @throws DomainError `rate_limited`, with the time to wait
 */
export async function countRequest(context: Limiters, request: CodeRequest): Promise<void> {
  const { address, phoneHour, phoneDay, range } = context.codeLimiters;
  const { phone, range: block } = request.number;
  await take(address, networkOf(request.address));
  await take(phoneHour, phone);
  await take(phoneDay, phone);
  await take(range, block);
}

/**
 * Counts a code that is about to be sent for its client. Requests that are refused do not count: otherwise a few hundred
 * addresses could keep all fans of a client from signing in.
 * @throws DomainError `rate_limited`, with the time to wait
 */
export async function countForClient({ codeLimiters }: Limiters, { clientId }: CodeRequest): Promise<void> {
  await take(codeLimiters.client, clientId ?? PORTAL);
}

/** Takes back what was counted, but for the address: the code was not sent for reasons that are not the fan's. */
export async function uncountRequest({ codeLimiters }: Limiters, { number, clientId }: CodeRequest): Promise<void> {
  const { phoneHour, phoneDay, range, client } = codeLimiters;
  await Promise.all([
    phoneHour.giveBack(number.phone),
    phoneDay.giveBack(number.phone),
    range.giveBack(number.range),
    client.giveBack(clientId ?? PORTAL),
  ]);
}

/** Stands for a client where there is none. */
const PORTAL = 'portal';

async function take(limiter: CodeLimiter, key: string): Promise<void> {
  const wait = await limiter.take(key);
  if (wait === undefined) return;
  countOutcome(limiter.outcome);
  const retryAfter = Math.max(1, Math.ceil(wait / 1000));
  throw new DomainError('rate_limited', `Too many codes were asked for. Try again in ${inWords(retryAfter)}.`, {
    retryAfter,
  });
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
