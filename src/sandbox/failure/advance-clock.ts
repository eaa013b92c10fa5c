import { ArmedFailure } from '../../entities/armed-failure.ts';
import { NOTHING_SIMULATED } from '../../entities/simulation.ts';
import type { WithSimulatedClients } from '../../partners/client/simulated-clients.ts';
import type { WithConfig, WriteContext } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { uuidOf } from '../../platform/identifier/type-id.ts';
import { DAY } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { endClientKeys, within } from './arm-failure.ts';
import { requireSandboxClient, untilSeen, writeSimulation } from './write-simulation.ts';

type ClockContext = WriteContext & WithConfig & WithSimulatedClients;

/** A year: longer than anything lives. */
export const MOST_SECONDS = 366 * DAY;

/** Makes everything that a client holds older by the same time, so that the order stays. Values: client, seconds. */
const growOlder = prepared(`
  with given as (select $1::uuid as client, make_interval(secs => $2) as age), challenges as (
    update phone_challenge h set resend_at = h.resend_at - age, expires_at = h.expires_at - age
    from given, authorization_session s where h.purpose = 'login' and h.owner = s.id::text and s.client_id = client
  ), sessions as (
    update authorization_session s set expires_at = s.expires_at - age from given where s.client_id = client and s.step <> 'done'
  ), codes as (
    update authorization_code a set expires_at = a.expires_at - age
    from given, consent_grant g where g.client_id = client and a.grant_id = g.id
  ), families as (
    update refresh_token_family f set expires_at = f.expires_at - age, rotated_at = f.rotated_at - age
    from given, consent_grant g where g.client_id = client and f.grant_id = g.id
  )
  update consent_grant g set ends_after = g.ends_after - age from given where g.client_id = client and g.revoked_at is null`);

/**
 * Advances the clock of one sandbox client (D-305): its sign-ins, codes, access and refresh tokens and grants become older by that
 * time, and events are nearer for it. What the client gets from then on has the real time, so that the client's own clock, which was
 * not advanced, accepts it.
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
  await writeSimulation(context, client, async (simulation, em) => {
    const seconds = ahead - simulation.advanced;
    if (seconds < 0) throw tooFar(simulation.advanced);
    if (seconds === 0) return simulation;
    await growOlder(em, [uuidOf('client', client), seconds]);
    recordAudit({ ...context, em }, { actor, action: 'client.clock_advanced', subject: client, details: { seconds } });
    await em.flush();
    const travel = { at: Math.floor(now.getTime() / 1000), by: seconds };
    return { ...simulation, advanced: ahead, travels: [...simulation.travels, travel] };
  });
  // tokens have whole seconds, and those of this second are older too: wait for the next second before anybody gets a new token
  await untilSeen(context, 1000 - (now.getTime() % 1000));
}

function tooFar(advanced: number): DomainError {
  return new DomainError(
    'invalid_request',
    `ahead_seconds must be at least ${advanced}: the clock is that far ahead already. Set it back first.`,
  );
}

/**
 * Ends everything that is simulated for a sandbox client: failures are disarmed, its clock is the real one again. What has expired
 * stays expired. Repeating it changes nothing.
 * @throws DomainError `not_found`, `invalid_request`
 */
export async function endSimulation(context: ClockContext, clientId: string, actor: string): Promise<void> {
  const client = await requireSandboxClient(context, clientId);
  await writeSimulation(context, client, async ({ travels }, em) => {
    await em.nativeDelete(ArmedFailure, { client });
    await endClientKeys(em, client, context.now());
    recordAudit({ ...context, em }, { actor, action: 'client.simulation_ended', subject: client });
    await em.flush();
    // tokens that were made older stay so
    return { ...NOTHING_SIMULATED, travels };
  });
  await untilSeen(context);
}
