/**
 * What the sandbox simulates for one client (D-300): whether a call of it has to ask, and the clock that its tokens and events go by.
 *
 * @module
 */

import { type Failure, NOTHING_SIMULATED, type Simulation } from '../../entities/simulation.ts';
import type { Context } from '../../platform/context.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';

/** What holds in a call of a client of which something is simulated. */
export interface Simulated extends Simulation {
  /** The failure that this call meets, if any. */
  failure: Failure | undefined;
}

/** The part of a context in which a client may be simulated: only once its call has asked what it meets. */
export interface WithSimulation {
  readonly simulated?: Simulated;
}

/**
 * A call stopped before it did anything, because something is simulated for its client. It is made again with the context that says
 * what (`failure/meet-failure.ts`), and no caller sees this.
 */
export class ClientIsSimulated extends Error {
  override readonly name = 'ClientIsSimulated';
  readonly client: Uuid;

  constructor(client: Uuid) {
    super('something is simulated for the client of this call');
    this.client = client;
  }
}

/**
 * Lets a call pass of whose client nothing is simulated, or that has asked already. For others it costs nothing: its statement has
 * read the client's row.
 * @param simulation as in the client's row
 * @throws ClientIsSimulated
 */
export function requireUnsimulated({ simulated }: WithSimulation, client: Uuid, simulation: Simulation | null): void {
  if (simulation !== null && simulated === undefined) throw new ClientIsSimulated(client);
}

/** SQL: whether a call passes `requireUnsimulated`. @param asked SQL of whether it has asked already */
export function unsimulated(client: string, asked: string): string {
  return `(${client}.simulation is null or ${asked})`;
}

/** What holds of a simulation at a moment: what has run out is left out. */
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

/**
 * Whether a token has expired by the clock of its client: a simulated clock is ahead or behind, and what the client held has grown
 * older.
 * @param token times in seconds since the epoch
 */
export function hasExpired(token: { iat: number; exp: number }, simulation: Simulation, now: Date): boolean {
  const { skew, travels } = holdingAt(simulation, now);
  const clock = Math.floor(now.getTime() / 1000) + skew;
  const older = travels.reduce((sum, { at, by }) => (token.iat - skew <= at ? sum + by : sum), 0);
  return token.exp - older <= clock;
}

/** The time by which events end in this call. As `eventTime`, for a statement that does not read the client. */
export function eventMoment({ now, simulated }: Pick<Context, 'now'> & WithSimulation): Date {
  return new Date(now().getTime() + (simulated?.advanced ?? 0) * 1000);
}

/**
 * SQL: the time by which a client's events end. In the sandbox it may be ahead of the real one.
 * @param now SQL of the current time
 * @param client alias of a `client` row
 */
export function eventTime(now: string, client: string): string {
  const advanced = `make_interval(secs => (${client}.simulation ->> 'advanced')::float8)`;
  return `case when ${client}.simulation is null then ${now} else ${now} + ${advanced} end`;
}
