/**
 * The clients for which the sandbox simulates something (D-300). Each process reads them every second and keeps them in memory, so calls of other
 * clients cost nothing more. A change waits until all processes have read it.
 *
 * @module
 */
import type { Pool } from 'pg';
import { NOTHING_SIMULATED, type Simulation } from '../../entities/simulation.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { tryUuidOf, type Uuid } from '../../platform/identifier/type-id.ts';
import type { StampedToken, TokenClock } from './token-clock.ts';

export interface SimulatedClients extends TokenClock {
  /** The simulation of a client, at most a second old. @param clientId `client_…` */
  of(clientId: string): Simulation | undefined;
  /** Reads all of them again. */
  read(): Promise<void>;
}

/** The part of a context that has them. */
export interface WithSimulatedClients {
  simulatedClients: SimulatedClients;
}

const readAll = prepared<{ id: Uuid; simulation: Simulation }>(
  'select id, simulation from client where simulation is not null',
);

export function createSimulatedClients({ pool }: { pool: Pool }): SimulatedClients {
  let clients = new Map<Uuid, Simulation>();
  let begun = 0;
  let shown = 0;

  function of(clientId: string): Simulation | undefined {
    if (clients.size === 0) return undefined;
    const client = tryUuidOf('client', clientId);
    return client && clients.get(client);
  }

  return {
    of,
    async read() {
      const turn = ++begun;
      const rows = await readAll(pool, []);
      // a read that began earlier may end later
      if (turn < shown) return;
      shown = turn;
      clients = new Map(rows.map(({ id, simulation }) => [id, simulation]));
    },
    aheadFor: (clientId, now) => holdingAt(of(clientId) ?? null, now).skew,
    hasExpired(token, now) {
      const simulation = of(token.client_id);
      const clock = Math.floor(now.getTime() / 1_000);
      return simulation === undefined ? token.exp <= clock : hasExpired(token, simulation, now);
    },
  };
}

/** The parts of a simulation that have not expired at a moment. */
export function holdingAt(simulation: Simulation | null, now: Date): Simulation {
  const { armedUntil, skew, kid, skewUntil, kidUntil, advanced, travels } = simulation ?? NOTHING_SIMULATED;
  const at = now.getTime();
  return {
    armedUntil: armedUntil > at ? armedUntil : 0,
    skew: skewUntil > at ? skew : 0,
    kid: kidUntil > at ? kid : null,
    skewUntil,
    kidUntil,
    advanced,
    travels,
  };
}

/** Whether a token has expired by the simulated clock of its client, and by the age that the simulation added. */
function hasExpired(token: StampedToken, simulation: Simulation, now: Date): boolean {
  const { skew, travels } = holdingAt(simulation, now);
  const clock = Math.floor(now.getTime() / 1000) + skew;
  const older = travels.reduce((sum, { at, by }) => (token.iat - skew <= at ? sum + by : sum), 0);
  return token.exp - older <= clock;
}
