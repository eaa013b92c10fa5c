import { timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PHONE_CODE_LIFETIME } from '../../oauth/lifetimes.ts';
import type { Context, SqlContext } from '../../platform/context.ts';
import { DomainError, type DomainErrorCode } from '../../platform/errors.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import type { Mode } from '../../platform/mode.ts';
import { after } from '../../platform/time.ts';
import { recordVerified } from '../abuse/breaker.ts';
import { SESSION_TRIES, tooManyTries } from '../authorization/find-session.ts';
import { codeExpired, movedOn, wrongCode } from './code-refusals.ts';
import type { WithVerification } from './provider.ts';
import {
  type CodeOwner,
  endTry,
  giveNumberBack,
  givePlacesBack,
  giveTryBack,
  readTries,
  takeTry,
} from './statements.ts';

export type CheckContext = Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'log'> & WithVerification;

/**
 * The most wrong codes for a number within one code's lifetime, counted over all its sign-ins and visits to the portal, so that a
 * new session gives no new guesses. Sandbox allows more: its codes guard only test data, and partners' tests send wrong codes on purpose.
 */
const TRIES_PER_NUMBER: Record<Mode, number> = { production: 5, sandbox: 1000 };

/** A phone number under verification. */
export interface Challenge extends CodeOwner {
  mode: Mode;
  /** E.164. */
  phone: string;
  /** The provider's reference of the code; null in sandbox, and where nothing was sent. */
  reference: string | null;
  expiresAt: Date;
  /** In sandbox the code of the test user with the number; null where there is none. */
  testCode: string | null;
}

/**
 * Checks the code that the fan typed. Counts a try for the challenge and for the number before it compares the code, so that parallel
 * guesses cannot exceed the limits; gives the try back where the code was right or was not compared. Of several calls with the right
 * code at the same time, one moves its owner (the sign-in, the visit or the change of number) on.
 * @param advance moves the owner on by one conditional update, which also ends the try and resets the number's tries. Returns whether
 * this call has moved it
 * @throws DomainError `wrong_step`, `wrong_code`, `code_expired`, `too_many_tries`, `verification_unavailable`
 */
export async function checkChallenge(
  context: CheckContext,
  challenge: Challenge,
  code: string,
  advance: () => Promise<boolean>,
): Promise<void> {
  const { pool, now, log } = context;
  const { mode, phone, purpose, owner, expiresAt } = challenge;
  if (expiresAt <= now()) throw codeExpired();
  const counted = await countTry(context, challenge);
  if (!counted) throw (await hasMovedOn(context, challenge)) ? movedOn() : tooManyTries(START_AGAIN[purpose]);
  let isRight = false;
  try {
    isRight = await isRightCode(context, challenge, code);
    if (isRight && mode === 'production') {
      // a failure is only logged: the provider accepts the code once, so this call has to sign the fan in
      const lost = (err: unknown) => log.error({ err }, 'limits still count a code that was entered correctly');
      await givePlacesBack(pool, [purpose, owner, phone, now().getTime()]).catch(lost);
    }
    if (isRight && (await advance())) {
      const lost = (err: unknown) => log.error({ err }, 'a verified code was not counted');
      if (mode === 'production')
        await recordVerified(context, phone, after(expiresAt, -PHONE_CODE_LIFETIME)).catch(lost);
      return;
    }
  } catch (error) {
    await uncountTry(context, challenge, counted);
    // the error may only mean that another call had the same code approved: the provider then no longer knows it
    throw (await hasMovedOn(context, challenge)) ? movedOn() : error;
  }
  if (isRight) {
    await uncountTry(context, challenge, counted);
    throw movedOn();
  }
  await endTry(pool, [purpose, owner]);
  // the refusal that the portal hides may only mean that the provider approved the code in another call
  if (hidesProvider(challenge) && (await hasMovedOn(context, challenge))) throw movedOn();
  throw counted.left <= 0 ? tooManyTries(START_AGAIN[purpose]) : wrongCode(counted.left);
}

interface CountedTry {
  /** Tries that the challenge has left. */
  left: number;
  /** End of the number's window that counts this try; null where the number had no try left. */
  window: string | null;
}

/** @returns undefined where the challenge or the number has no try left, or the owner has moved on */
async function countTry({ pool, now }: SqlContext, challenge: Challenge): Promise<CountedTry | undefined> {
  const { purpose, owner, mode, phone } = challenge;
  const at = now();
  const windowEnd = after(at, PHONE_CODE_LIFETIME);
  const [taken] = await takeTry(pool, [purpose, owner, mode, phone, windowEnd, at, TRIES_PER_NUMBER[mode]]);
  if (!taken || taken.wrong_tries === null) return undefined;
  const counted = { left: SESSION_TRIES - taken.wrong_tries, window: taken.window };
  if (counted.window !== null) return counted;
  await uncountTry({ pool }, challenge, counted);
  return undefined;
}

async function uncountTry(
  { pool }: Pick<SqlContext, 'pool'>,
  { purpose, owner, mode, phone }: Challenge,
  { window }: CountedTry,
): Promise<void> {
  // one statement each, so that no call holds one row lock while it waits for the other
  await giveTryBack(pool, [purpose, owner]);
  if (window !== null) await giveNumberBack(pool, [mode, phone, window]);
}

/** Milliseconds between two reads; in total more than the provider's time limit. */
const PAUSES = [50, 100, 200, 400, 800, 1600, 3200];

/**
 * Whether the owner has moved on. While other calls check codes of the same owner, waits for them, because one may be right; gives up
 * after some seconds, because the process of such a call may have died.
 */
async function hasMovedOn({ pool }: Pick<SqlContext, 'pool'>, { purpose, owner }: CodeOwner): Promise<boolean> {
  for (const pause of [...PAUSES, undefined]) {
    const [row] = await readTries(pool, [purpose, owner]);
    if (row?.step !== 'code') return true;
    if (row.tries_under_way === 0 || pause === undefined) return false;
    await sleep(pause);
  }
  return false;
}

/** Whether a code is right: in sandbox the test user's static one, in production the one that the provider sent. */
async function isRightCode({ verification }: WithVerification, challenge: Challenge, code: string): Promise<boolean> {
  const { mode, phone, reference, testCode } = challenge;
  if (mode === 'sandbox') {
    // compared for an unknown number too, so that it takes the same time
    const isSame = sameCode(testCode ?? 'no such user', code);
    return testCode !== null && isSame;
  }
  if (reference === null) return false;
  return verification.check(phone, reference, code).catch((error: unknown) => {
    if (hidesProvider(challenge) && error instanceof DomainError && PROVIDER_REFUSALS.has(error.code)) return false;
    throw error;
  });
}

function sameCode(expected: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(expected)), Buffer.from(hashOf(given)));
}

/** The portal treats the provider's refusals as a wrong code: they would disclose that a code was sent (D-069). */
function hidesProvider({ purpose }: CodeOwner): boolean {
  return purpose === 'portal';
}

const START_AGAIN: Record<CodeOwner['purpose'], string | undefined> = {
  login: undefined,
  portal: 'Wait ten minutes and begin again.',
  number_change: 'Sign in again to change your number.',
};

/** Refusals that follow from the provider's own clock and counts. */
const PROVIDER_REFUSALS: ReadonlySet<DomainErrorCode> = new Set<DomainErrorCode>([
  'code_expired',
  'too_many_tries',
  'rate_limited',
]);
