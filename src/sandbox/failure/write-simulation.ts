import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { NOTHING_SIMULATED, type Simulation } from '../../entities/simulation.ts';
import { holdingAt, type WithSimulatedClients } from '../../partners/client/simulated-clients.ts';
import type { Context } from '../../platform/context.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { CLOCK_SKEW } from './kinds.ts';

type WriteContext = Pick<Context, 'em' | 'now' | 'config'> & WithSimulatedClients;

/**
 * Changes what is simulated for a sandbox client, under the lock of its row. Null is written where nothing is left, so that its calls
 * cost nothing more. The client's version stays: this is no edit of its registration.
 * @param change gets what holds now, and may write more in the transaction
 * @returns what is simulated from now on
 */
export async function writeSimulation(
  context: WriteContext,
  client: Uuid,
  change: (simulation: Simulation, em: EntityManager) => Simulation | Promise<Simulation>,
): Promise<Simulation> {
  const now = context.now();
  const written = await context.em.fork().transactional(async (locked) => {
    const [row] = await locked.execute<{ simulation: Simulation | null }[]>(
      `select simulation from client where id = ? and mode = 'sandbox' for no key update`,
      [client],
    );
    if (!row) return NOTHING_SIMULATED;
    const changed = await change(holdingAt(row.simulation, now), locked);
    const next = { ...changed, armedUntil: await armedUntil(locked, client, now), travels: recent(context, changed) };
    await locked.execute('update client set simulation = ?::jsonb where id = ?', [
      isNothingLeft(context, next) ? null : JSON.stringify(next),
      client,
    ]);
    return next;
  });
  await context.simulatedClients.read();
  return written;
}

/** Waits until every process has seen what was written: the very next call meets it, wherever it arrives. */
export async function untilSeen({ config }: Pick<Context, 'config'>, leastMs = 0): Promise<void> {
  await sleep(Math.max(config.simulationSpreadMs, leastMs));
}

/** Whether nothing but failures that are armed can be simulated any more. @param simulation as `holdingAt` leaves it */
export function isNothingLeft(context: Pick<Context, 'now' | 'config'>, simulation: Simulation): boolean {
  const { armedUntil, skew, kid, advanced } = simulation;
  return armedUntil === 0 && skew === 0 && kid === null && advanced === 0 && recent(context, simulation).length === 0;
}

/** The travels that concern an access token which may still live. */
function recent({ now, config }: Pick<Context, 'now' | 'config'>, { travels }: Simulation): Simulation['travels'] {
  const oldest = now().getTime() / 1000 - config.accessTokenTtl - 2 * CLOCK_SKEW;
  return travels.filter(({ at }) => at > oldest);
}

async function armedUntil(em: EntityManager, client: Uuid, now: Date): Promise<number> {
  const [row] = await em.execute<{ until: number | null }[]>(
    `select extract(epoch from max(expires_at))::float8 * 1000 as until from armed_failure
     where client_id = ? and times_left > 0 and expires_at > ?`,
    [client, now],
  );
  return row?.until ?? 0;
}
