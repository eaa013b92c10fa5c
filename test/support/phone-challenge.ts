import { expect } from 'vitest';
import { PhoneChallenge } from '../../src/entities/phone-challenge.ts';
import { knownId } from '../../src/platform/identifier/known-id.ts';
import { uuidOf } from '../../src/platform/identifier/type-id.ts';
import type { ServiceContext } from '../../src/runtime.ts';

interface Processes {
  context(): Pick<ServiceContext, 'em'>;
}

/** Names the number under verification of a sign-in. */
export const ofSession = (sessionId: string) =>
  ({ purpose: 'login', owner: uuidOf('sess', knownId('sess', sessionId)) }) as const;

/** What a sign-in has counted, as the database has it now; null before anything was. */
export const challengeOf = (app: Processes, sessionId: string): Promise<PhoneChallenge | null> =>
  app.context().em.fork().findOne(PhoneChallenge, ofSession(sessionId));

/** Waits until the code of a portal visit has reached the phone: it is sent behind the answer. */
export async function portalCodeSent(app: Processes, phone: string): Promise<void> {
  const sent = { purpose: 'portal', phone, reference: { $ne: null }, step: 'code' } as const;
  await expect.poll(() => app.context().em.count(PhoneChallenge, sent)).toBeGreaterThan(0);
}
