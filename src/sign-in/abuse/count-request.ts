import type { Context } from '../../platform/context.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import type { ReachableNumber } from './check-number.ts';
import type { CodeLimiters, WithCodeLimiters } from './code-limiters.ts';
import { networkOf } from './network-of.ts';
import { KEPT, type Take } from './take-all.ts';

type CountContext = Pick<Context, 'now'> & WithCodeLimiters;

/** The counts that a code has taken: keys of rows of `rate_limit`, each with the end (in ms) of the window that it is counted in. */
type Places = Record<string, string>;

export interface CodeRequest {
  number: ReachableNumber;
  /** The browser's IP address. */
  address: string;
  /** Undefined for the portal. */
  clientId: Id<'client'> | undefined;
  /** Records what the code takes, to be given back once the code is entered correctly. */
  places: Places;
}

/**
 * Counts per address, then per number and hour, then per number and day: a request refused for its address takes nothing
 * from the number, and one burst can't use up the number's day. The address counts requests, the others sent codes; a code that is
 * entered correctly stays counted for the number only.
 */
export function countsOfRequest(context: CountContext, request: CodeRequest): Take[] {
  const { number, address, clientId, places } = request;
  const phone = keyOf(clientId, number.phone);
  return [
    async () => {
      await count(context, 'address', networkOf(address), places)();
      return KEPT;
    },
    count(context, 'phoneHour', phone),
    count(context, 'phoneDay', phone),
  ];
}

export function countOfRange(context: CountContext, { number, clientId, places }: CodeRequest): Take {
  return count(context, 'range', keyOf(clientId, number.range), places);
}

/** The last of the counts, so that refused requests from a few hundred addresses cannot block sign-in for all fans of a client. */
export function countOfClient(context: CountContext, { clientId, places }: CodeRequest): Take {
  return count(context, 'client', clientId ?? PORTAL, places);
}

/** The portal's key, where others have a client's ID. */
const PORTAL = 'portal';

/**
 * The portal has its own counts. It counts every number but sends to fans only, so that its answers do not disclose who is
 * a fan. With shared counts anybody could use the portal to block a number's sign-in, without one code sent.
 */
function keyOf(clientId: Id<'client'> | undefined, key: string): string {
  return clientId === undefined ? `${PORTAL} ${key}` : key;
}

/** @param places records the count where it is given back once the code is entered correctly */
function count({ codeLimiters, now }: CountContext, name: keyof CodeLimiters, key: string, places?: Places): Take {
  return async () => {
    const counted = await codeLimiters[name].take(key, now());
    if (places) places[counted.row] = counted.expire;
    return counted.giveBack;
  };
}
