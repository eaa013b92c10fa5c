import { raw } from '@mikro-orm/core';
import { Client } from '../../entities/client.ts';
import { GoLiveAttempt, GoLiveEvent, GoLiveRun, GoLiveSecret, type RunKey } from '../../entities/go-live-check.ts';
import { isUsable } from '../../partners/client/usable-client.ts';
import type { EntityContext, WithConfig } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { type IdPrefix, idOf, isId, type Uuid } from '../../platform/identifier/type-id.ts';
import { type Behaviour, checkNamed } from './checks.ts';
import { runAddresses } from './run-addresses.ts';
import type { CheckEvent } from './watched.ts';

export type CheckContext = EntityContext & WithConfig;

/** Requests of one run that are recorded; beyond it they are refused. A whole run has about 150. */
export const MOST_REQUESTS = 5_000;

/** A run that has not ended. */
export interface OpenRun {
  run: GoLiveRun;
  client: Client;
  keys: RunKey[];
  issuer: string;
}

/** @throws DomainError `not_found` where there is no such run, it is over, or its client can't be used any more */
export async function openRunUnder({ em, now, config }: CheckContext, id: string): Promise<OpenRun> {
  const run = isId('chk', id) ? await em.findOne(GoLiveRun, { id }, { refresh: true }) : null;
  if (!run || run.finishedAt != null || run.expiresAt <= now() || run.keys == null) {
    throw new DomainError('not_found', 'There is no go-live check at this address, or it is over.');
  }
  const client = await em.findOneOrFail(Client, { id: run.client.id }, { populate: ['stopped'], refresh: true });
  if (!isUsable(client)) throw new DomainError('not_found', 'The client of this go-live check can’t be used any more.');
  return { run, client, keys: run.keys, issuer: runAddresses(config, run.id).issuer };
}

/** The check that is on: sign-ins that begin now belong to it. */
export function attemptOf({ em }: Pick<CheckContext, 'em'>, { run }: OpenRun): Promise<GoLiveAttempt | null> {
  return em.findOne(GoLiveAttempt, { run: run.id, endedAt: null }, { refresh: true });
}

/** How the hostile server behaves in an attempt. */
export function behaviourOf({ check }: Pick<GoLiveAttempt, 'check'>): Behaviour {
  return checkNamed(check)?.behaviour ?? {};
}

/** A code or token of this run; undefined for any other text. */
export async function secretUnder(
  { em }: Pick<CheckContext, 'em'>,
  { run }: OpenRun,
  hash: string,
): Promise<{ secret: GoLiveSecret; attempt: GoLiveAttempt } | undefined> {
  const secret = await em.findOne(GoLiveSecret, { hash }, { populate: ['attempt'], refresh: true });
  if (!secret) return undefined;
  const attempt = await em.findOneOrFail(GoLiveAttempt, { id: secret.attempt.id });
  return attempt.run.id === run.id ? { secret, attempt } : undefined;
}

/**
 * Counts a request against the run, and writes down what it was.
 * @throws DomainError `rate_limited` where the run has had too many
 */
export async function recordEvent(
  { em, now }: Pick<CheckContext, 'em' | 'now'>,
  { id: attempt, run }: GoLiveAttempt,
  event: Omit<CheckEvent, 'at'>,
): Promise<void> {
  const within = { id: run.id, requests: { $lt: MOST_REQUESTS } };
  if ((await em.nativeUpdate(GoLiveRun, within, { requests: raw<number>('requests + 1') })) === 0) {
    throw new DomainError('rate_limited', `This go-live check has had ${MOST_REQUESTS} requests. Start another one.`, {
      retryAfter: 60,
    });
  }
  await em.insert(GoLiveEvent, { attempt, at: now(), kind: event.kind, facts: event.facts });
}

/** What a run invents has the right form and is in no table. A UUIDv7 always has its version, so nothing real is ever all zeros. */

/** An identifier of zeros, or nearly so. @param number 0 to 65,535 */
export function emptyId(prefix: IdPrefix, number = 0): string {
  return idOf(prefix, `00000000-0000-0000-0000-${number.toString(16).padStart(12, '0')}` as Uuid);
}

/** The fan of every run. There is no such fan. */
export const CHECK_SUBJECT = emptyId('usr');

/** The grant of an attempt. There is no such grant. */
export function grantIdOf({ id }: Pick<GoLiveAttempt, 'id'>): string {
  return emptyId('grant', Number(id) % 65_536);
}
