import { setTimeout as sleep } from 'node:timers/promises';
import { Fan } from '../../entities/fan.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, newBrowserSecret } from '../../platform/identifier/secret-value.ts';
import { after } from '../../platform/time.ts';
import { type CheckContext, checkChallenge } from '../verification/check-challenge.ts';
import { movedOn } from '../verification/code-refusals.ts';
import { findTestUser } from '../verification/find-test-user.ts';
import { moveToHolder } from '../verification/recycled-number.ts';
import { findPortalChallenge, numberUnderCheck, PORTAL_IDLE, PORTAL_TRIES } from './find-portal-session.ts';

/** Least time of a refusal. For an unknown number no provider is called, and a faster answer would disclose that. */
const MIN_REFUSAL_MS = 1_000;

/**
 * Checks a code of the portal. The right one opens the portal under a new secret, so that one planted in the browser
 * before is worthless; or moves it to `continuity`, where the number may be another person's than its fan's.
 * @returns the secret for the browser's cookie, and the step that the visit is at
 * @throws DomainError `session_not_found`, and as `checkChallenge`
 */
export async function checkPortalCode(
  context: CheckContext,
  secret: string | undefined,
  code: string,
): Promise<CheckedCode> {
  const began = performance.now();
  try {
    return await check(context, secret, code);
  } catch (error) {
    await sleep(Math.max(0, MIN_REFUSAL_MS - (performance.now() - began)));
    throw error;
  }
}

interface CheckedCode {
  secret: string;
  step: 'open' | 'continuity';
}

async function check(context: CheckContext, secret: string | undefined, code: string): Promise<CheckedCode> {
  const session = await findPortalChallenge(context, secret);
  if (!session) throw new DomainError('session_not_found', 'This sign-in is over. Begin again with your number.');
  const { em, now } = context;
  const { secretHash, mode, reference, codeExpiresAt } = session;
  const phone = numberUnderCheck(session);
  const newSecret = newBrowserSecret();
  let isOpen = false;
  await checkChallenge(
    context,
    {
      table: 'portal_session',
      key: secretHash,
      limit: PORTAL_TRIES,
      mode,
      findTestCode: async () => (await findTestUser({ em }, phone, 'portal'))?.code,
      phone,
      reference,
      expiresAt: codeExpiresAt,
      hidesProvider: true,
      // registers nobody: a person without grants has nothing to see here
      findFan: () => em.findOne(Fan, { mode, phone }),
      async advance(tx) {
        const moved = await moveToHolder(
          { ...context, em: tx },
          { mode, phone },
          {
            table: 'portal_session',
            where: `s.secret_hash = ? and s.step = 'code' and s.phone = ?`,
            whereValues: [secretHash, phone],
            opened: 'open',
            // they may still see and end what they allowed
            refusesStopped: false,
            changes: ['secret_hash = ?', 'reference = null', 'expires_at = ?'],
            changeValues: [hashOf(newSecret), after(now(), PORTAL_IDLE)],
            forgetsTries: true,
          },
        );
        isOpen = moved?.isOpen ?? false;
        return moved !== undefined;
      },
      refuseRightCode: async () => movedOn(),
      tooManyTries: () => new DomainError('too_many_tries', 'Too many wrong codes. Wait ten minutes and begin again.'),
    },
    code,
  );
  return { secret: newSecret, step: isOpen ? 'open' : 'continuity' };
}
