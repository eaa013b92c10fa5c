import type { WithChains } from '../../chain/chains.ts';
import type { Failure } from '../../entities/simulation.ts';
import type { KeyRing, WithKeys } from '../../keys/key-ring.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { WithSimulatedClients } from '../../partners/client/simulated-clients.ts';
import type { WithTokenClock } from '../../partners/client/token-clock.ts';
import type { Context } from '../../platform/context.ts';
import { tryUuidOf } from '../../platform/identifier/type-id.ts';
import type { WithActivity } from '../../record/activity/activity-log.ts';
import type { Operation } from '../../record/activity/operation-texts.ts';
import { bringAbout, type CallSubject } from './bring-about.ts';
import { meetFailure } from './meet-failure.ts';
import { simulatedChains } from './simulated-gateway.ts';
import { isNothingLeft } from './write-simulation.ts';

type CallContext = Pick<Context, 'em' | 'pool' | 'config' | 'now' | 'requestId' | 'log'> &
  WithKeys &
  WithSecrets &
  WithActivity &
  WithTokenClock &
  WithSimulatedClients &
  WithChains;

/** One call of a client. */
export interface ClientCall<Given, T> {
  operation: Operation;
  subject: CallSubject;
  /** Does the call. @param failure what it meets */
  work(context: Given, failure?: Failure): Promise<T>;
  /** Called before the work where the call meets a failure or a simulated clock or key. */
  onSimulated?(): void;
}

export interface Called<T> {
  result: T;
  /** The failure that the call met. */
  failure: Failure | undefined;
}

/** Failures after the call: the call is done, but the caller does not get the answer. */
const LOST_ANSWERS: ReadonlySet<Failure | undefined> = new Set(['refresh_answer_lost', 'claim_answer_lost']);

/** Whether the answer to a call is to be lost. */
export function losesAnswer({ failure }: Pick<Called<unknown>, 'failure'>): boolean {
  return LOST_ANSWERS.has(failure);
}

/**
 * Does a call of a client, with what the sandbox simulates for that client. Where nothing is simulated, the call runs once and
 * unchanged.
 * @param contextOf made only for a simulated call
 * @throws what the call throws, or the failure that it meets
 */
export async function callOfClient<Given extends WithSimulatedClients & WithChains, T>(
  given: Given,
  contextOf: () => Given & CallContext,
  { operation, subject, work, onSimulated }: ClientCall<Given, T>,
): Promise<Called<T>> {
  const client = tryUuidOf('client', subject.clientId);
  if (client === undefined || given.simulatedClients.of(subject.clientId) === undefined)
    return { result: await work(given), failure: undefined };
  const context = contextOf();
  const met = await meetFailure(context, client, operation);
  if (met.failure !== undefined || !isNothingLeft(context, { ...met, armedUntil: 0 })) onSimulated?.();
  await bringAbout(context, met, subject);
  const chains = simulatedChains(context.chains, met.failure, operation === 'claims.execute');
  const keys = met.kid === null ? context.keys : signingWith(context.keys, met.kid);
  return { result: await work({ ...context, chains, keys }, met.failure), failure: met.failure };
}

/** A key ring that signs with the key that was made for a client, as long as it exists. */
function signingWith(keys: KeyRing, kid: string): KeyRing {
  return { ...keys, current: async () => (await keys.clientKey(kid)) ?? keys.current() };
}
