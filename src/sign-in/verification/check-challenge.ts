import type { Fan } from '../../entities/fan.ts';
import { PHONE_CODE_LIFETIME } from '../../oauth/lifetimes.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError, type DomainErrorCode } from '../../platform/errors.ts';
import { after } from '../../platform/time.ts';
import { givePlacesBack } from '../abuse/give-places-back.ts';
import { recordVerified } from '../abuse/record-verified.ts';
import { codeExpired, movedOn, wrongCode } from './code-refusals.ts';
import { type CountedRow, endTry, giveTryBack, hasMovedOn, takeTry } from './code-tries.ts';
import { type CodeChallenge, isRightCode } from './is-right-code.ts';
import type { WithVerification } from './provider.ts';

export type CheckContext = Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'log'> & WithVerification;

/** A phone number under verification and its owner: an authorization session or a portal session. */
export interface OwnedChallenge extends CountedRow, CodeChallenge {
  expiresAt: Date;
  /** The fan of the number, where the right code has not advanced the owner. With null the code counts as wrong. */
  findFan(): Promise<Fan | null>;
  /**
   * Moves the owner to its next step by one conditional update, and forgets the number's tries (`FORGET_PHONE_TRIES`).
   * @returns whether this call did it
   */
  advance(em: Context['em']): Promise<boolean>;
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
  if (!isRight) return { fan: null, advanced: false };
  if (challenge.mode === 'production') {
    // logged only: the provider has spent the code, and the fan is to be signed in
    const lost = (err: unknown) => context.log.error({ err }, 'the places of a code were not given back');
    await givePlacesBack(context, challenge).catch(lost);
  }
  if (await advance(context, challenge)) return { fan: null, advanced: true };
  const fan = await challenge.findFan();
  // who has just been registered is advanced now
  return { fan, advanced: fan !== null && (await advance(context, challenge)) };
}

async function advance(context: CheckContext, challenge: OwnedChallenge): Promise<boolean> {
  // one statement, which needs no transaction around it
  if (challenge.mode === 'sandbox') return challenge.advance(context.em);
  const sentAt = after(challenge.expiresAt, -PHONE_CODE_LIFETIME);
  return context.em.transactional(async (em) => {
    if (!(await challenge.advance(em))) return false;
    await recordVerified({ ...context, em }, challenge.phone, sentAt);
    return true;
  });
}

/** Decided by the provider's own clock and counts. */
const PROVIDER_REFUSALS: ReadonlySet<DomainErrorCode> = new Set<DomainErrorCode>([
  'code_expired',
  'too_many_tries',
  'rate_limited',
]);
