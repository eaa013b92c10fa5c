import { recordVerified } from '../abuse/record-verified.ts';
import type { Context } from '../context.ts';
import type { Fan } from '../entities/fan.ts';
import { DomainError, type DomainErrorCode } from '../errors.ts';
import { after, PHONE_CODE_LIFETIME } from '../oauth/lifetimes.ts';
import { codeExpired, movedOn, wrongCode } from './code-refusals.ts';
import { type CountedRow, endTry, forgetPhoneTries, giveTryBack, hasMovedOn, takeTry } from './code-tries.ts';
import { type CodeChallenge, isRightCode } from './is-right-code.ts';
import type { WithVerification } from './provider.ts';

export type CheckContext = Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'log'> & WithVerification;

/** A phone number under verification and its owner: an authorization session or a portal session. */
export interface OwnedChallenge extends CountedRow, CodeChallenge {
  expiresAt: Date;
  /** The fan of the number, after the right code. With null the code counts as wrong. */
  findFan(): Promise<Fan | null>;
  /** Moves the owner to its next step by one conditional update. @returns whether this call did it */
  advance(em: Context['em'], fan: Fan): Promise<boolean>;
  /** Refusal of a right code that did not advance the owner. */
  refuseRightCode(fan: Fan): Promise<DomainError>;
  tooManyTries(): DomainError;
  /** Treats the provider's refusals as a wrong code: they would disclose that a code was sent. */
  hidesProvider: boolean;
}

/**
 * Checks the code that the fan typed. Of several right ones at once the first advances the owner.
 * @throws DomainError `wrong_step`, `wrong_code`, `code_expired`, `too_many_tries`, `verification_unavailable`
 */
export async function checkChallenge(context: CheckContext, challenge: OwnedChallenge, code: string): Promise<void> {
  if (challenge.expiresAt <= context.now()) throw codeExpired();
  const counted = await takeTry(context, challenge);
  if (!counted) throw (await hasMovedOn(context, challenge)) ? movedOn() : challenge.tooManyTries();
  const { fan, advanced } = await verify(context, challenge, code).catch(async (error: unknown) => {
    await giveTryBack(context, challenge, counted);
    // a provider no longer has a code that it has approved
    throw (await hasMovedOn(context, challenge)) ? movedOn() : error;
  });
  if (advanced) return;
  if (fan) {
    await giveTryBack(context, challenge, counted);
    throw await challenge.refuseRightCode(fan);
  }
  await endTry(context, challenge);
  // a hidden refusal may be of a code that the provider has approved in another call
  if (challenge.hidesProvider && (await hasMovedOn(context, challenge))) throw movedOn();
  throw counted.left <= 0 ? challenge.tooManyTries() : wrongCode(counted.left);
}

async function verify(
  context: CheckContext,
  challenge: OwnedChallenge,
  code: string,
): Promise<{ fan: Fan | null; advanced: boolean }> {
  const isRight = await isRightCode(context, challenge, code).catch((error: unknown) => {
    if (challenge.hidesProvider && error instanceof DomainError && PROVIDER_REFUSALS.has(error.code)) return false;
    throw error;
  });
  const fan = isRight ? await challenge.findFan() : null;
  if (!fan) return { fan, advanced: false };
  const { mode, phone, expiresAt } = challenge;
  const advanced = await context.em.transactional(async (em) => {
    if (!(await challenge.advance(em, fan))) return false;
    await forgetPhoneTries({ em }, mode, phone);
    if (mode === 'production') await recordVerified({ ...context, em }, phone, after(expiresAt, -PHONE_CODE_LIFETIME));
    return true;
  });
  return { fan, advanced };
}

/** Decided by the provider's own clock and counts. */
const PROVIDER_REFUSALS: ReadonlySet<DomainErrorCode> = new Set<DomainErrorCode>([
  'code_expired',
  'too_many_tries',
  'rate_limited',
]);
