import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Id } from '../identifier/type-id.ts';
import type { ReachableNumber } from './check-number.ts';
import type { CodeLimiters, WithCodeLimiters } from './code-limiters.ts';
import { countOutcome } from './code-outcomes.ts';
import { networkOf } from './network-of.ts';
import { KEPT, type Take } from './take-all.ts';

type CountContext = Pick<Context, 'now'> & WithCodeLimiters;

/** Who asks for a code, and for whom. */
export interface CodeRequest {
  number: ReachableNumber;
  /** Of the browser, as `ctx.ip` has it. */
  address: string;
  /** The client that the fan signs in to; undefined for the fan's own portal. */
  clientId: Id<'client'> | undefined;
}

/**
 * The counts of whoever asks for a code: the address, then the number's hour, then its day. Who is refused for the
 * address takes nothing away from the number, and nobody can use up the day of another by one burst. The address counts
 * what was asked for, everything else what was sent.
 */
export function countsOfRequest(context: CountContext, { number, address, clientId }: CodeRequest): Take[] {
  const phone = keyOf(clientId, number.phone);
  return [
    async () => {
      await count(context, 'address', networkOf(address))();
      return KEPT;
    },
    count(context, 'phoneHour', phone),
    count(context, 'phoneDay', phone),
  ];
}

/** The number's range. */
export function countOfRange(context: CountContext, { number, clientId }: CodeRequest): Take {
  return count(context, 'range', keyOf(clientId, number.range));
}

/** The client, last of all counts: otherwise a few hundred addresses could keep all fans of a client from signing in. */
export function countOfClient(context: CountContext, { clientId }: CodeRequest): Take {
  return count(context, 'client', clientId ?? PORTAL);
}

/** Stands for a client where there is none. */
const PORTAL = 'portal';

/**
 * The portal counts by itself. It sends to fans' numbers only, but counts every number, so that its answers do not tell
 * which ones are fans'. If sign-ins shared those counts, somebody could keep a number from signing in without a single
 * code sent.
 */
function keyOf(clientId: Id<'client'> | undefined, key: string): string {
  return clientId === undefined ? `${PORTAL} ${key}` : key;
}

/** @throws DomainError `rate_limited`, with the time to wait */
function count({ codeLimiters, now }: CountContext, name: keyof CodeLimiters, key: string): Take {
  return async () => {
    const counted = await codeLimiters[name].take(key, now());
    if (counted.waitMs === undefined) return counted.giveBack;
    countOutcome(codeLimiters[name].outcome);
    const retryAfter = Math.max(1, Math.ceil(counted.waitMs / 1000));
    throw new DomainError('rate_limited', `Too many codes were asked for. Try again in ${inWords(retryAfter)}.`, {
      retryAfter,
    });
  };
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
