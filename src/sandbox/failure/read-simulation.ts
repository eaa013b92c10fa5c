import { ArmedFailure } from '../../entities/armed-failure.ts';
import type { Client } from '../../entities/client.ts';
import { holdingAt } from '../../partners/client/simulated-clients.ts';
import type { EntityContext } from '../../platform/context.ts';

/** What is simulated for a client, for people. */
export interface ShownSimulation {
  /** Failures that are armed, in the order in which calls meet them. */
  armed: ArmedFailure[];
  /** Failures that calls have met, the latest first: each once, until it is armed again or the simulation ends. */
  met: ArmedFailure[];
  /** Seconds by which events are nearer. */
  advanced: number;
  /** Whether it has a key. */
  hasKey: boolean;
}

/** Reads what is simulated for a client; nothing for a production client. */
export async function readSimulation(context: EntityContext, client: Client): Promise<ShownSimulation> {
  const [found] = await readSimulations(context, [client]);
  if (!found) throw new Error(`no simulation was read for ${client.id}`);
  return found;
}

/** Reads with one statement what is simulated for each of some clients, in their order. */
export async function readSimulations(
  { em, now }: EntityContext,
  clients: readonly Client[],
): Promise<ShownSimulation[]> {
  const rows = await em.find(
    ArmedFailure,
    { client: { $in: clients.map(({ id }) => id) } },
    { orderBy: { armedAt: 'asc', failure: 'asc' }, refresh: true },
  );
  const byClient = Map.groupBy(rows, ({ client }) => client.id);
  return clients.map((client) => {
    const all = byClient.get(client.id) ?? [];
    return {
      armed: all.filter(({ timesLeft, expiresAt }) => timesLeft !== 0 && expiresAt > now()),
      met: all.filter(({ metAt }) => metAt).toSorted((one, other) => Number(other.metAt) - Number(one.metAt)),
      advanced: holdingAt(client.simulation ?? null, now()).advanced,
      hasKey: typeof client.sandboxKeyHash === 'string',
    };
  });
}
