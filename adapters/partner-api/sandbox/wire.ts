import { z } from 'zod';
import { FAILURES } from '../../../src/entities/simulation.ts';
import type { ShownSimulation } from '../../../src/sandbox/failure/read-simulation.ts';

/** The shapes of the sandbox's own endpoints on the wire. */

const Failure = z.enum(FAILURES, { error: `must be one of ${FAILURES.join(', ')}` });
const whole = z.number({ error: 'must be a number' });

export const ArmRequest = z.strictObject({
  failure: Failure,
  operation: z.string({ error: 'must be a string' }).optional(),
  times: whole.optional(),
  seconds: whole.optional(),
  minutes: whole.optional(),
});

export const DisarmRequest = z.strictObject({ failure: Failure });

export const ClockRequest = z.strictObject({ ahead_seconds: whole });

export const EndRequest = z.strictObject({});

/** What is simulated for a client. */
export function toSimulation(clientId: string, { armed, advanced }: ShownSimulation) {
  return {
    client_id: clientId,
    clock: { ahead_seconds: advanced },
    armed: armed.map(({ failure, operation, timesLeft, seconds, armedAt, expiresAt }) => ({
      failure,
      ...(operation != null && { operation }),
      ...(timesLeft != null && { times_left: timesLeft }),
      ...(seconds != null && { seconds }),
      armed_at: armedAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    })),
  };
}
