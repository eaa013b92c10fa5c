import type { Failure } from '../../src/entities/simulation.ts';
import { createContext, type Runtime, type ServiceContext } from '../../src/runtime.ts';
import type { CallSubject } from '../../src/sandbox/failure/bring-about.ts';
import { callOfClient, losesAnswer } from '../../src/sandbox/failure/call-simulated.ts';
import type { RequestContext } from './request-state.ts';

/**
 * Runs a call of a client, with the simulation of the sandbox for it (D-300). The handler has named its operation.
 * @param given a runtime or a context; the work gets it, or one with the simulation, and the failure that the call meets
 */
export async function doCall<Given extends Runtime, T>(
  given: Given,
  ctx: RequestContext,
  subject: CallSubject,
  work: (context: Given, failure?: Failure) => Promise<T>,
): Promise<T> {
  const { operation = 'other', requestId } = ctx.state;
  const contextOf = (): Given & ServiceContext => ({ ...given, ...createContext(given, requestId) });
  const onSimulated = () => {
    ctx.state.simulated = true;
    ctx.state.caller = { ...ctx.state.caller, mode: 'sandbox' };
  };
  const called = await callOfClient(given, contextOf, { operation, subject, work, onSimulated });
  if (losesAnswer(called)) {
    ctx.state.outcome = called.failure ?? 'other';
    // as a connection that breaks: no status, no byte of the answer
    ctx.req.socket.destroy();
  }
  return called.result;
}
