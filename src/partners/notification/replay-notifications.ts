import { randomBytes, randomUUID } from 'node:crypto';
import { Notification, TEST_TYPE } from '../../entities/notification.ts';
import type { EntityContext, WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { nothingUnder } from '../../platform/identifier/known-id.ts';
import { type Id, newId, type Uuid } from '../../platform/identifier/type-id.ts';
import { after, DAY } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { lockedEndpoint } from './change-endpoint.ts';
import { GIVE_UP_DAYS } from './retry-times.ts';

/** Dead notifications that one call replays. */
export const MOST_REPLAYED = 10_000;

/**
 * Sends a notification again that was delivered or is dead, with the same `jti`. One that waits is sent anyway.
 * @throws DomainError `not_found`, `conflict` for a disabled endpoint
 */
export async function replayNotification(
  context: WriteContext,
  endpointId: Id<'nep'>,
  jti: Id<'ntf'>,
  actor: string,
): Promise<Notification> {
  return context.em.fork().transactional(async (em) => {
    const notification = await em.findOne(Notification, { jti, endpoint: endpointId });
    if (!notification) throw nothingUnder('ntf', jti);
    await replayWhere({ ...context, em }, endpointId, { jti, state: { $ne: 'waiting' } }, actor);
    return em.findOneOrFail(Notification, { jti }, { refresh: true });
  });
}

/** Sends the dead notifications of an endpoint again, the oldest first. @returns how many; call again where it is `MOST_REPLAYED` */
export async function replayDead(context: WriteContext, endpointId: Id<'nep'>, actor: string): Promise<number> {
  return context.em.fork().transactional(async (em) => {
    const dead = await em.find(
      Notification,
      { endpoint: endpointId, state: 'dead' },
      { fields: ['id'], orderBy: { id: 'asc' }, limit: MOST_REPLAYED },
    );
    return replayWhere({ ...context, em }, endpointId, { id: { $in: dead.map(({ id }) => id) }, state: 'dead' }, actor);
  });
}

async function replayWhere(context: WriteContext, endpoint: Id<'nep'>, where: object, actor: string): Promise<number> {
  const { em, now } = context;
  const { disabledAt } = await lockedEndpoint(em, endpoint);
  if (disabledAt) throw new DomainError('conflict', 'This endpoint is disabled. Enable it first.');
  const at = now();
  const times = { dueAt: at, expiresAt: after(at, GIVE_UP_DAYS * DAY), endedAt: null };
  const count = await em.nativeUpdate(
    Notification,
    { endpoint, ...where },
    {
      state: 'waiting',
      attempts: 0,
      failure: null,
      ...times,
    },
  );
  if (count > 0) {
    recordAudit(context, { actor, action: 'notification.replayed', subject: endpoint, details: { endpoint, count } });
  }
  return count;
}

/**
 * Sends an endpoint a test, like any other notification. One may wait at a time: one that waits already is due immediately.
 * @throws DomainError `not_found`, `conflict` for a disabled endpoint
 * @see OpenID SSF 1.0 §8.1.4 (verification)
 */
export async function sendTest(context: EntityContext, id: Id<'nep'>): Promise<Notification> {
  return context.em.fork().transactional(async (em) => {
    const endpoint = await lockedEndpoint(em, id);
    if (endpoint.disabledAt) throw new DomainError('conflict', 'This endpoint is disabled. Enable it first.');
    const now = context.now();
    const waiting = await em.findOne(Notification, {
      endpoint: id,
      state: 'waiting',
      type: TEST_TYPE,
      expiresAt: { $gt: now },
    });
    if (waiting) {
      if (waiting.dueAt > now) waiting.dueAt = now;
      return waiting;
    }
    return em.create(Notification, {
      jti: newId('ntf'),
      endpoint,
      lane: randomUUID() as Uuid,
      type: TEST_TYPE,
      data: { state: randomBytes(9).toString('base64url') },
      occurredAt: now,
      dueAt: now,
      expiresAt: after(now, GIVE_UP_DAYS * DAY),
    });
  });
}
