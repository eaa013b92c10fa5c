import { randomBytes, randomUUID } from 'node:crypto';
import { Notification, TEST_TYPE } from '../../entities/notification.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, newId, type Uuid } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { lockedEndpoint } from './change-endpoint.ts';
import { GIVE_UP_DAYS } from './retry-times.ts';

/**
 * Sends an endpoint a test, like any other notification. One may wait at a time: where one does, such as after a failure, it is due at
 * once.
 * @throws DomainError `not_found`, `conflict` for a disabled endpoint
 * @see OpenID SSF 1.0 §8.1.4 (verification)
 */
export async function sendTest(context: Pick<Context, 'em' | 'now'>, id: Id<'nep'>): Promise<Notification> {
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
      expiresAt: after(now, GIVE_UP_DAYS * 24 * 3_600),
    });
  });
}
