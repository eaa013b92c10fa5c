import type { WithChains } from '../../chain/chains.ts';
import type { Failure } from '../../entities/simulation.ts';
import type { WithKeys } from '../../keys/key-ring.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import { ClientIsSimulated, type WithSimulation } from '../../partners/client/simulated-client.ts';
import type { Context } from '../../platform/context.ts';
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
  WithChains;

/** One call of a client. */
export interface ClientCall<Given, T> {
  operation: Operation;
  subject: CallSubject;
  /** Does the call. It runs again where something is simulated for its client: the first time has done nothing then. */
  work(context: Given & WithSimulation): Promise<T>;
  /** Called before the work where the call meets a failure or a simulated clock or key. */
  onSimulated?(): void;
}

export interface Called<T> {
  result: T;
  /** The failure that the call met. */
  failure: Failure | undefined;
}

/** Failures after the call: it is done, and the caller does not get to know. */
const LOST_ANSWERS: ReadonlySet<Failure | undefined> = new Set(['refresh_answer_lost', 'claim_answer_lost']);

/** Whether the answer to a call is to be lost. */
export function losesAnswer({ failure }: Pick<Called<unknown>, 'failure'>): boolean {
  return LOST_ANSWERS.has(failure);
}

/**
 * Does a call of a client, with what the sandbox simulates for it. A call of a client of which nothing is simulated runs once, as if
 * this were not here.
 * @param contextOf made only for a simulated call
 * @throws what the call throws, or the failure that it meets
 */
export async function callOfClient<Given extends WithChains, T>(
  given: Given,
  contextOf: () => Given & CallContext,
  { operation, subject, work, onSimulated }: ClientCall<Given, T>,
): Promise<Called<T>> {
  try {
    return { result: await work(given), failure: undefined };
  } catch (error) {
    if (!(error instanceof ClientIsSimulated)) throw error;
    const context = contextOf();
    const met = await meetFailure(context, error.client, operation);
    if (met.failure !== undefined || !isNothingLeft(context, { ...met, armedUntil: 0 })) onSimulated?.();
    const chains = simulatedChains(context.chains, met.failure, operation === 'claims.execute');
    const simulated: Given & CallContext & WithSimulation = { ...context, simulated: met, chains };
    await bringAbout(simulated, met, subject);
    return { result: await work(simulated), failure: met.failure };
  }
}
