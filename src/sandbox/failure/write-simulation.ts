import { setTimeout as sleep } from 'node:timers/promises';
import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { ArmedFailure } from '../../entities/armed-failure.ts';
import { Client } from '../../entities/client.ts';
import { NOTHING_SIMULATED, type Simulation } from '../../entities/simulation.ts';
import { holdingAt, type WithSimulatedClients } from '../../partners/client/simulated-clients.ts';
import type { Context, EntityContext, WithConfig } from '../../platform/context.ts';
import { lockRow } from '../../platform/database/advisory-lock.ts';
import { rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, uuidOf } from '../../platform/identifier/type-id.ts';
import { CLOCK_SKEW } from './kinds.ts';

type SimulationContext = EntityContext & WithConfig & WithSimulatedClients;

/**
 * Changes what is simulated for a sandbox client, under the lock of its row. Null is written where nothing is left, so that the
 * client's calls cost nothing more. The client's version stays: this is no edit of its registration.
 * @param change gets what holds now, and may write more in the transaction
 * @returns what is simulated from now on
 */
export async function writeSimulation(
  context: SimulationContext,
  client: Id<'client'>,
  change: (simulation: Simulation, em: EntityManager) => Simulation | Promise<Simulation>,
): Promise<Simulation> {
  const now = context.now();
  const written = await context.em.fork().transactional(async (locked) => {
    await lockRow(locked, 'client', uuidOf('client', client));
    const row = await locked.findOne(Client, { id: client, mode: 'sandbox' });
    if (!row) return NOTHING_SIMULATED;
    const changed = await change(holdingAt(row.simulation ?? null, now), locked);
    const next = { ...changed, armedUntil: await armedUntil(locked, client, now), travels: recent(context, changed) };
    const simulation = isNothingLeft(context, next) ? null : next;
    await locked.nativeUpdate(Client, { id: client }, { simulation, version: raw<number>('version') });
    return next;
  });
  await context.simulatedClients.read();
  return written;
}

/** Waits until every process has seen what was written: the very next call meets it, wherever it arrives. */
export async function untilSeen({ config }: WithConfig, leastMs = 0): Promise<void> {
  await sleep(Math.max(config.simulationSpreadMs, leastMs));
}

/** Whether nothing but failures that are armed can be simulated any more. @param simulation as `holdingAt` leaves it */
export function isNothingLeft(context: Pick<Context, 'now' | 'config'>, simulation: Simulation): boolean {
  const { armedUntil, skew, kid, advanced } = simulation;
  return armedUntil === 0 && skew === 0 && kid === null && advanced === 0 && recent(context, simulation).length === 0;
}

/** The advances of the clock that concern an access token which may still be valid. */
function recent({ now, config }: Pick<Context, 'now' | 'config'>, { travels }: Simulation): Simulation['travels'] {
  const oldest = now().getTime() / 1000 - config.accessTokenTtl - 2 * CLOCK_SKEW;
  return travels.filter(({ at }) => at > oldest);
}

async function armedUntil(em: EntityManager, client: Id<'client'>, now: Date): Promise<number> {
  const armed = { client, timesLeft: { $gt: 0 }, expiresAt: { $gt: now } };
  const [last] = await em.find(ArmedFailure, armed, {
    orderBy: { expiresAt: 'desc' },
    limit: 1,
    disableIdentityMap: true,
  });
  return last?.expiresAt.getTime() ?? 0;
}

/**
 * The sandbox client of an identifier. Nothing is ever simulated for a production client; the database refuses it too.
 * @throws DomainError `not_found`; `invalid_request` for a production client
 */
export async function requireSandboxClient({ em }: Pick<Context, 'em'>, clientId: string): Promise<Id<'client'>> {
  const { id, mode } = await rowUnder(em, Client, 'client', clientId);
  if (mode !== 'sandbox')
    throw new DomainError('invalid_request', 'Failures and time travel are for sandbox clients only.');
  return id;
}
