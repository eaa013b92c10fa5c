import { setTimeout as sleep } from 'node:timers/promises';
import { recordVerified } from '../abuse/record-verified.ts';
import { movedOn } from '../authorization/find-session.ts';
import type { Context } from '../context.ts';
import { Fan } from '../entities/fan.ts';
import { PortalSession } from '../entities/portal-session.ts';
import { DomainError, type DomainErrorCode } from '../errors.ts';
import { hashOf, newBrowserSecret } from '../identifier/secret-value.ts';
import { after, PHONE_CODE_LIFETIME } from '../oauth/lifetimes.ts';
import { wrongCode } from '../verification/check-code.ts';
import { endTry, giveTryBack, hasMovedOn, type Tried, takeTry } from '../verification/code-tries.ts';
import { isRightCode } from '../verification/is-right-code.ts';
import { forgetPhoneTries } from '../verification/phone-tries.ts';
import type { WithVerification } from '../verification/provider.ts';
import { findPortalChallenge, PORTAL_IDLE, PORTAL_TRIES } from './find-portal-session.ts';

type CheckContext = Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'log'> & WithVerification;

/**
 * Milliseconds that a refusal takes at least. For a number that nobody has there is no provider to ask, and a faster answer
 * would tell so.
 */
const REFUSAL_TAKES_MS = 1_000;

/**
 * Checks the code that the fan typed; the right one opens the portal, under a new secret, so that one which was planted
 * in the browser before is worth nothing.
 * @returns what the browser's cookie must hold from now on
 * @throws DomainError `session_not_found`, `wrong_step`, `wrong_code`, `code_expired`, `too_many_tries`,
 * `verification_unavailable`
 */
export async function checkPortalCode(
  context: CheckContext,
  secret: string | undefined,
  code: string,
): Promise<{ secret: string }> {
  const began = performance.now();
  try {
    return await check(context, secret, code);
  } catch (error) {
    await sleep(Math.max(0, REFUSAL_TAKES_MS - (performance.now() - began)));
    throw error;
  }
}

async function check(context: CheckContext, secret: string | undefined, code: string): Promise<{ secret: string }> {
  const visit = await findPortalChallenge(context, secret);
  if (!visit) throw new DomainError('session_not_found', 'This sign-in is over. Begin again with your number.');
  if (visit.codeExpiresAt <= context.now()) {
    throw new DomainError('code_expired', 'This code has expired. Ask for a new one.');
  }
  const { secretHash, mode, phone } = visit;
  const tried: Tried = { table: 'portal_session', key: secretHash, limit: PORTAL_TRIES, mode, phone };
  const one = await takeTry(context, tried);
  if (!one) throw (await hasMovedOn(context, tried)) ? movedOn() : tooManyTries();
  const { isRight, opened } = await openVisit(context, visit, code).catch(async (error: unknown) => {
    await giveTryBack(context, tried, one);
    throw (await hasMovedOn(context, tried)) ? movedOn() : error;
  });
  if (opened !== undefined) return { secret: opened };
  if (isRight) await giveTryBack(context, tried, one);
  else await endTry(context, tried);
  // of several right codes at once the first has opened the visit, and a provider may know nothing of it any more
  if (isRight || (await hasMovedOn(context, tried))) throw movedOn();
  throw one.left <= 0 ? tooManyTries() : wrongCode(one.left);
}

/** @returns whether the code was right, and the new secret if it was the one that opened the visit */
async function openVisit(
  context: CheckContext,
  visit: PortalSession,
  code: string,
): Promise<{ isRight: boolean; opened?: string }> {
  const { em, now } = context;
  const fan = await verifiedFan(context, visit, code);
  if (!fan) return { isRight: false };
  const secret = newBrowserSecret();
  const isFirst = await em.transactional(async (tx) => {
    const moved = await tx.nativeUpdate(
      PortalSession,
      { secretHash: visit.secretHash, step: 'code', phone: visit.phone },
      {
        secretHash: hashOf(secret),
        step: 'open',
        fan: fan.id,
        reference: null,
        authenticatedAt: now(),
        expiresAt: after(now(), PORTAL_IDLE),
      },
    );
    if (moved !== 1) return false;
    await forgetPhoneTries({ em: tx }, visit.mode, visit.phone);
    if (visit.mode === 'production') {
      await recordVerified({ ...context, em: tx }, visit.phone, after(visit.codeExpiresAt, -PHONE_CODE_LIFETIME));
    }
    return true;
  });
  return isFirst ? { isRight: true, opened: secret } : { isRight: true };
}

/** Nobody is registered here: who has no grant has nothing to see. */
async function verifiedFan(context: CheckContext, visit: PortalSession, code: string): Promise<Fan | null> {
  const { mode, phone } = visit;
  const isRight = await isRightCode(context, visit, code).catch((error: unknown) => {
    if (error instanceof DomainError && TOLD_OF_KNOWN_NUMBERS.has(error.code)) return false;
    throw error;
  });
  return isRight ? context.em.findOne(Fan, { mode, phone }) : null;
}

/** What a provider refuses by its own clock and counts: said of a number, it would tell that a code was sent there. */
const TOLD_OF_KNOWN_NUMBERS: ReadonlySet<DomainErrorCode> = new Set<DomainErrorCode>([
  'code_expired',
  'too_many_tries',
  'rate_limited',
]);

function tooManyTries(): DomainError {
  return new DomainError('too_many_tries', 'Too many wrong codes. Wait ten minutes and begin again.');
}
