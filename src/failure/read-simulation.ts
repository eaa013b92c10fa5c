import { holdingAt } from '../client/simulated-client.ts';
import type { Context } from '../context.ts';
import { ArmedFailure } from '../entities/armed-failure.ts';
import type { Client } from '../entities/client.ts';

/** What is simulated for a client, for people. */
export interface ShownSimulation {
  /** Failures that are armed, those that were met last of all. In the order in which calls meet them. */
  armed: ArmedFailure[];
  /** Seconds by which events are nearer. */
  advanced: number;
  /** Whether it has a key. */
  hasKey: boolean;
}

/** Reads what is simulated for a client; nothing for a production client. */
export async function readSimulation(
  { em, now }: Pick<Context, 'em' | 'now'>,
  client: Client,
): Promise<ShownSimulation> {
  const all = await em.find(
    ArmedFailure,
    { client: client.id },
    { orderBy: { armedAt: 'asc', failure: 'asc' }, refresh: true },
  );
  const armed = all.filter(({ timesLeft, expiresAt }) => timesLeft !== 0 && expiresAt > now());
  const { advanced } = holdingAt(client.simulation ?? null, now());
  return { armed, advanced, hasKey: typeof client.sandboxKeyHash === 'string' };
}
