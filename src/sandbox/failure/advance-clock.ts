import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { ArmedFailure } from '../../entities/armed-failure.ts';
import { NOTHING_SIMULATED } from '../../entities/simulation.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { endClientKeys, within } from './arm-failure.ts';
import { requireSandboxClient } from './require-sandbox-client.ts';
import { writeSimulation } from './write-simulation.ts';

type ClockContext = Pick<Context, 'em' | 'now' | 'config' | 'requestId'>;

/** A year: longer than anything lives. */
export const MOST_SECONDS = 366 * 24 * 3600;

/** What a client holds, and grows older: each row by the same seconds ($2), so that the order of things stays. */
const GROW_OLDER = [
  `update phone_challenge h set resend_at = h.resend_at - $2, expires_at = h.expires_at - $2
   from authorization_session s where s.id = h.session_id and s.client_id = $1`,
  `update authorization_session set expires_at = expires_at - $2 where client_id = $1 and step <> 'done'`,
  `update authorization_code a set expires_at = a.expires_at - $2 from consent_grant g where g.client_id = $1 and a.grant_id = g.id`,
  `update refresh_token_family f set expires_at = f.expires_at - $2, rotated_at = f.rotated_at - $2
   from consent_grant g where g.client_id = $1 and f.grant_id = g.id`,
  `update consent_grant set ends_after = ends_after - $2 where client_id = $1 and revoked_at is null`,
];

/**
 * Moves the clock of a sandbox client on, for it alone (D-305): what it holds (sign-ins, codes, access and refresh tokens, grants) is
 * older by that, and events are nearer for it. What it gets from then on is stamped with the real time, so that its own clock, which
 * stayed, accepts it.
 * @param ahead seconds by which the clock is ahead of the real one afterwards, 0 to a year. Repeating it changes nothing
 * @throws DomainError `not_found`; `invalid_request`, also where the clock is further ahead already: time goes one way
 */
export async function advanceClock(
  context: ClockContext,
  clientId: string,
  ahead: number,
  actor: string,
): Promise<void> {
  const client = await requireSandboxClient(context, clientId);
  within('ahead_seconds', ahead, 0, MOST_SECONDS);
  const now = context.now();
  await writeSimulation(context, uuidOf('client', client), async (simulation, em) => {
    const seconds = ahead - simulation.advanced;
    if (seconds < 0) throw tooFar(simulation.advanced);
    if (seconds === 0) return simulation;
    await growOlder(em, uuidOf('client', client), seconds);
    recordAudit({ ...context, em }, { actor, action: 'client.clock_advanced', subject: client, details: { seconds } });
    await em.flush();
    const travel = { at: Math.floor(now.getTime() / 1000), by: seconds };
    return { ...simulation, advanced: ahead, travels: [...simulation.travels, travel] };
  });
  // tokens count whole seconds: those of this second are older too, so the next one begins before anybody gets a new token
  await sleep(1000 - (now.getTime() % 1000));
}

function tooFar(advanced: number): DomainError {
  return new DomainError(
    'invalid_request',
    `ahead_seconds must be at least ${advanced}: the clock is that far ahead already. Set it back first.`,
  );
}

async function growOlder(em: EntityManager, client: Uuid, seconds: number): Promise<void> {
  for (const statement of GROW_OLDER) {
    const text = statement.replaceAll('$2', `interval '${seconds} seconds'`).replaceAll('$1', '?');
    await em.execute(text, [client]);
  }
}

/**
 * Ends everything that is simulated for a sandbox client: failures are disarmed, its clock is the real one again. What has expired
 * stays so. Repeating it changes nothing.
 * @throws DomainError `not_found`, `invalid_request`
 */
export async function endSimulation(context: ClockContext, clientId: string, actor: string): Promise<void> {
  const client = await requireSandboxClient(context, clientId);
  await endWithin(context, client, actor);
}

async function endWithin(context: ClockContext, client: Id<'client'>, actor: string): Promise<void> {
  await writeSimulation(context, uuidOf('client', client), async ({ travels }, em) => {
    await em.nativeDelete(ArmedFailure, { client });
    await endClientKeys(em, client, context.now());
    recordAudit({ ...context, em }, { actor, action: 'client.simulation_ended', subject: client });
    await em.flush();
    // tokens that were made older stay so
    return { ...NOTHING_SIMULATED, travels };
  });
}
