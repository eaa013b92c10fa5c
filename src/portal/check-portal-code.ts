import { setTimeout as sleep } from 'node:timers/promises';
import { raw } from '@mikro-orm/core';
import { recordVerified } from '../abuse/record-verified.ts';
import type { Context } from '../context.ts';
import { Fan } from '../entities/fan.ts';
import { PortalSession } from '../entities/portal-session.ts';
import { DomainError, type DomainErrorCode } from '../errors.ts';
import { hashOf, newBrowserSecret } from '../identifier/secret-value.ts';
import { after, PHONE_CODE_LIFETIME } from '../oauth/lifetimes.ts';
import { wrongCode } from '../verification/check-code.ts';
import { isRightCode } from '../verification/is-right-code.ts';
import { forgetPhoneTries, givePhoneTryBack, takePhoneTry } from '../verification/phone-tries.ts';
import type { WithVerification } from '../verification/provider.ts';
import { findPortalChallenge, PORTAL_IDLE, PORTAL_TRIES } from './find-portal-session.ts';

type CheckContext = Pick<Context, 'em' | 'now' | 'config' | 'log'> & WithVerification;

/**
 * Milliseconds that a refusal takes at least. For a number that nobody has there is no provider to ask, and a faster answer
 * would tell so.
 */
const REFUSAL_TAKES_MS = 1_000;

/**
 * Checks the code that the fan typed; the right one opens the portal, under a new secret, so that one which was planted in the
 * browser before is worth nothing.
 * @returns what the browser's cookie must hold from now on
 * @throws DomainError `session_not_found`, `wrong_code`, `code_expired`, `too_many_tries`, `verification_unavailable`
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
  const { em, now } = context;
  const visit = await findPortalChallenge(context, secret);
  if (!visit) throw new DomainError('session_not_found', 'This sign-in is over. Begin again with your number.');
  if (visit.codeExpiresAt <= now()) throw new DomainError('code_expired', 'This code has expired. Ask for a new one.');
  const triesLeft = await takeTry(context, visit);
  const fan = await verifiedFan(context, visit, code).catch(async (error: unknown) => {
    await giveTryBack(context, visit);
    throw error;
  });
  if (!fan) throw triesLeft <= 0 ? tooManyTries() : wrongCode(triesLeft);
  const opened = newBrowserSecret();
  await em.transactional(async (tx) => {
    const moved = await tx.nativeUpdate(
      PortalSession,
      { secretHash: visit.secretHash, step: 'code', phone: visit.phone },
      {
        secretHash: hashOf(opened),
        step: 'open',
        fan: fan.id,
        reference: null,
        authenticatedAt: now(),
        expiresAt: after(now(), PORTAL_IDLE),
      },
    );
    if (moved !== 1) throw new DomainError('session_not_found', 'This sign-in has moved on already.');
    await forgetPhoneTries({ em: tx }, visit.mode, visit.phone);
    if (visit.mode === 'production') {
      await recordVerified({ ...context, em: tx }, visit.phone, after(visit.codeExpiresAt, -PHONE_CODE_LIFETIME));
    }
  });
  return { secret: opened };
}

/** A try is counted before the code is looked at: parallel guesses can't outrun the count. @returns how many are left */
async function takeTry(context: CheckContext, visit: PortalSession): Promise<number> {
  if (!(await takePhoneTry(context, visit.mode, visit.phone))) throw tooManyTries();
  const [taken] = await context.em.execute<{ wrong_tries: number }[]>(
    `update portal_session set wrong_tries = wrong_tries + 1
     where secret_hash = ? and step = 'code' and wrong_tries < ? returning wrong_tries`,
    [visit.secretHash, PORTAL_TRIES],
  );
  if (!taken) throw tooManyTries();
  return PORTAL_TRIES - taken.wrong_tries;
}

/** A code that nobody looked at was no try: the provider could not be asked. */
async function giveTryBack(context: CheckContext, { secretHash, mode, phone }: PortalSession): Promise<void> {
  await givePhoneTryBack(context, mode, phone);
  await context.em.nativeUpdate(PortalSession, { secretHash }, { wrongTries: raw('wrong_tries - 1') });
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
