import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { ReachableNumber } from './check-number.ts';
import type { CodeLimiter } from './code-limiters.ts';
import { countOutcome } from './code-outcomes.ts';
import { networkOf } from './network-of.ts';

type Limiters = Pick<Context, 'codeLimiters'>;

/** Who asks for a code, and for whom. */
export interface CodeRequest {
  number: ReachableNumber;
  /** Of the browser, as `ctx.ip` has it. */
  address: string;
  /** The client that the fan signs in to; undefined for the fan's own portal. */
  clientId: string | undefined;
}

/**
 * Counts a request for a code, also one that is refused. The address comes first and by itself, then the number: who is
 * refused there takes nothing away from other numbers of the range and other fans of the client.
 * @throws DomainError `rate_limited`, with the time to wait
 */
export async function countRequest(context: Limiters, request: CodeRequest): Promise<void> {
  await takeAll([[context.codeLimiters.address, networkOf(request.address)]]);
  await takeAll(countsOfNumber(context, request));
  await takeAll(countsOfCrowd(context, request));
}

/** Takes back what was counted, but for the address: the code was not sent for reasons that are not the fan's. */
export async function uncountRequest(context: Limiters, request: CodeRequest): Promise<void> {
  const counts = [...countsOfNumber(context, request), ...countsOfCrowd(context, request)];
  await Promise.all(counts.map(([limiter, key]) => limiter.giveBack(key)));
}

type Count = readonly [CodeLimiter, string];

function countsOfNumber({ codeLimiters: { phoneHour, phoneDay } }: Limiters, { number }: CodeRequest): Count[] {
  return [
    [phoneHour, number.phone],
    [phoneDay, number.phone],
  ];
}

function countsOfCrowd({ codeLimiters: { range, client } }: Limiters, { number, clientId }: CodeRequest): Count[] {
  return [
    [range, number.range],
    [client, clientId ?? 'portal'],
  ];
}

async function takeAll(counts: Count[]): Promise<void> {
  const taken = await Promise.all(counts.map(async ([{ take, outcome }, key]) => ({ outcome, wait: await take(key) })));
  const refused = taken.flatMap(({ outcome, wait }) => (wait === undefined ? [] : [{ outcome, wait }]));
  const [longest] = refused.sort((a, b) => b.wait - a.wait);
  if (longest === undefined) return;
  countOutcome(longest.outcome);
  const retryAfter = Math.max(1, Math.ceil(longest.wait / 1000));
  throw new DomainError('rate_limited', `Too many codes were asked for. Try again in ${inWords(retryAfter)}.`, {
    retryAfter,
  });
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
