import type { EntityManager } from '@mikro-orm/postgresql';
import { ArmedFailure } from '../../entities/armed-failure.ts';
import { Client } from '../../entities/client.ts';
import { SigningKey } from '../../entities/signing-key.ts';
import type { Failure, Simulation } from '../../entities/simulation.ts';
import { createClientKey } from '../../keys/rotate-keys.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { WithSimulatedClients } from '../../partners/client/simulated-clients.ts';
import type { WithConfig, WriteContext } from '../../platform/context.ts';
import { takeLock } from '../../platform/database/advisory-lock.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import type { Operation } from '../../record/activity/operation-texts.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { CLOCK_SKEW, failureKind } from './kinds.ts';
import { requireSandboxClient, untilSeen, writeSimulation } from './write-simulation.ts';

/** What to arm. */
export interface Arming {
  failure: Failure;
  /** One of those of its kind; any of them where absent. */
  operation?: string | undefined;
  /** How many calls meet it, 1 to 100; 1 where absent. Not for a failure that is a state. */
  times?: number | undefined;
  /** See `FAILURE_KINDS`. */
  seconds?: number | undefined;
  /** Minutes after which it is no longer armed, 1 to 60; 15 where absent. */
  minutes?: number | undefined;
}

type ArmContext = WriteContext & WithConfig & WithSecrets & WithSimulatedClients;

const MOST_TIMES = 100;
const USUAL_MINUTES = 15;
const MOST_MINUTES = 60;
/** The most published keys of one client, and of all clients: each makes the JWKS longer for everybody. */
const MOST_KEYS_EACH = 3;
const MOST_KEYS = 30;
/** After this time every process has read a new key (`keys/key-ring.ts`). */
const KEY_SPREAD_MS = 1_100;

/** States that set the same thing: arming one ends the other. */
const EXCLUSIVE: readonly (readonly Failure[])[] = [
  ['clock_ahead', 'clock_behind'],
  ['key_rotation', 'jwks_stale'],
];

/**
 * Arms a failure for a sandbox client. Arming it again replaces it.
 * @param actor for the audit log
 * @throws DomainError `not_found`; `invalid_request` naming the field, also for a production client; `conflict` with too many keys
 */
export async function armFailure(
  context: ArmContext,
  clientId: string,
  arming: Arming,
  actor: string,
): Promise<ArmedFailure> {
  const client = await requireSandboxClient(context, clientId);
  const { failure } = arming;
  const { lasts, seconds: allowed } = failureKind(failure);
  const given = checkArming(arming);
  const now = context.now();
  const expiresAt = after(now, given.minutes * 60);
  const key = failure === 'key_rotation' || failure === 'jwks_stale';
  let armed: ArmedFailure | undefined;
  await writeSimulation(context, client, async (simulation, em) => {
    const within = { ...context, em };
    const others = EXCLUSIVE.find((group) => group.includes(failure)) ?? [failure];
    await em.nativeDelete(ArmedFailure, { client, failure: { $in: [...others] } });
    armed = em.create(ArmedFailure, {
      client: em.getReference(Client, client),
      failure,
      operation: given.operation ?? null,
      timesLeft: lasts === 'call' ? given.times : null,
      seconds: allowed ? given.seconds : null,
      armedBy: actor,
      armedAt: now,
      expiresAt,
      metAt: null,
    });
    recordAudit(within, {
      actor,
      action: 'client.failure_armed',
      subject: client,
      details: {
        failure,
        ...(given.operation !== undefined && { operation: given.operation }),
        ...(lasts === 'call' && { times: given.times }),
        ...(allowed && { seconds: given.seconds }),
        minutes: given.minutes,
      },
    });
    const kid = key ? await newKey(within, client, { failure, seconds: given.seconds, expiresAt }, actor) : undefined;
    await em.flush();
    return stateOf(simulation, failure, expiresAt, kid);
  });
  if (!armed) throw new Error(`nothing was armed for ${client}`);
  await untilSeen(context, key ? KEY_SPREAD_MS : 0);
  return armed;
}

function stateOf(simulation: Simulation, failure: Failure, until: Date, kid: string | undefined): Simulation {
  if (kid !== undefined) return { ...simulation, kid, kidUntil: until.getTime() };
  if (failure !== 'clock_ahead' && failure !== 'clock_behind') return simulation;
  return { ...simulation, skew: failure === 'clock_ahead' ? CLOCK_SKEW : -CLOCK_SKEW, skewUntil: until.getTime() };
}

/** @returns its `kid` */
async function newKey(
  context: ArmContext,
  client: Id<'client'>,
  { failure, seconds, expiresAt }: { failure: Failure; seconds: number; expiresAt: Date },
  actor: string,
): Promise<string> {
  const { em, now } = context;
  await takeLock(em, 'clientKeys');
  const published = { state: { $ne: 'gone' } } as const;
  const all = await em.count(SigningKey, { ...published, client: { $ne: null } });
  if (all >= MOST_KEYS || (await em.count(SigningKey, { ...published, client })) >= MOST_KEYS_EACH) {
    throw new DomainError(
      'conflict',
      'Too many keys were made for failures in the last minutes. Keys go some minutes after they signed last; try again then.',
    );
  }
  const publishedAt = failure === 'jwks_stale' ? new Date(now().getTime() + seconds * 1000 + KEY_SPREAD_MS) : now();
  return (await createClientKey(context, { client, publishedAt, until: expiresAt }, actor)).kid;
}

interface Given {
  operation: Operation | undefined;
  times: number;
  seconds: number;
  minutes: number;
}

function checkArming({ failure, operation, times, seconds, minutes }: Arming): Given {
  const kind = failureKind(failure);
  const fitting = kind.operations.find((each) => each === operation);
  if (operation !== undefined && fitting === undefined)
    throw invalid(`operation must be one of ${kind.operations.join(', ')} for ${failure}`);
  if (kind.lasts === 'state' && operation !== undefined)
    throw invalid(`operation is not for ${failure}, which holds for every call`);
  if (kind.lasts === 'state' && times !== undefined)
    throw invalid(`times is not for ${failure}, which holds until it ends`);
  if (kind.seconds === undefined && seconds !== undefined) throw invalid(`seconds means nothing for ${failure}`);
  return {
    operation: fitting,
    times: within('times', times ?? 1, 1, MOST_TIMES),
    seconds: kind.seconds ? within('seconds', seconds ?? kind.seconds.usual, kind.seconds.least, kind.seconds.most) : 0,
    minutes: within('minutes', minutes ?? USUAL_MINUTES, 1, MOST_MINUTES),
  };
}

/** @throws DomainError `invalid_request` */
export function within(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalid(`${name} must be a whole number from ${least} to ${most}`);
}

function invalid(message: string): DomainError {
  return new DomainError('invalid_request', `${message}.`);
}

/**
 * Disarms a failure; its state ends immediately. Repeating it changes nothing.
 * @throws DomainError as `armFailure`
 */
export async function disarmFailure(
  context: ArmContext,
  clientId: string,
  failure: Failure,
  actor: string,
): Promise<void> {
  const client = await requireSandboxClient(context, clientId);
  await writeSimulation(context, client, async (simulation, em) => {
    const ended = await em.nativeDelete(ArmedFailure, { client, failure });
    if (ended === 0) return simulation;
    recordAudit(
      { ...context, em },
      { actor, action: 'client.failure_disarmed', subject: client, details: { failure } },
    );
    await em.flush();
    return endState({ em, now: context.now() }, client, simulation, failure);
  });
  await untilSeen(context);
}

async function endState(
  { em, now }: { em: EntityManager; now: Date },
  client: Id<'client'>,
  simulation: Simulation,
  failure: Failure,
): Promise<Simulation> {
  if (failure === 'clock_ahead' || failure === 'clock_behind') return { ...simulation, skew: 0 };
  if (failure !== 'key_rotation' && failure !== 'jwks_stale') return simulation;
  await endClientKeys(em, client, now);
  return { ...simulation, kid: null };
}

/** Keys of the client sign no more. */
export async function endClientKeys(em: EntityManager, client: Id<'client'>, now: Date): Promise<void> {
  await em.nativeUpdate(SigningKey, { client, retiredAt: { $gt: now } }, { retiredAt: now });
}
