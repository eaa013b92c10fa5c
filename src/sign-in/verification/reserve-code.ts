import { KillSwitch } from '../../entities/kill-switch.ts';
import { PHONE_CODE_LIFETIME, PHONE_CODE_RESEND_AFTER } from '../../oauth/lifetimes.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Mode } from '../../platform/mode.ts';
import { after } from '../../platform/time.ts';
import { movedOn, resendTooSoon } from './code-refusals.ts';

/** Codes per session, across numbers. In sandbox nothing is sent, and a developer mistypes numbers that are nobody's. */
export const CODES_PER_SESSION: Record<Mode, number> = { production: 5, sandbox: 20 };

/** The answer to a call that asks for a code. */
export interface SentCode {
  /** Masked. */
  phone: string;
  resendAt: Date;
  expiresAt: Date;
}

/** The number that a code was last asked for, and from when on it may be asked for again. */
interface LastAsked {
  phone?: string | null | undefined;
  resendAt?: Date | null | undefined;
}

/** @param pause seconds until the same number may have another code */
export function codeTimes(sentAt: Date, pause: number = PHONE_CODE_RESEND_AFTER): Omit<SentCode, 'phone'> {
  return { resendAt: after(sentAt, pause), expiresAt: after(sentAt, PHONE_CODE_LIFETIME) };
}

/** Another number needs no wait. @throws DomainError `resend_too_soon` */
export function requireResendWait(last: LastAsked | null | undefined, phone: string, now: Date): void {
  if (last?.phone === phone && last.resendAt && last.resendAt > now) throw resendTooSoon(last.resendAt, now);
}

/**
 * Throws why the conditional update of a session reserved no code.
 * @param last of the session as it is now; undefined where it has moved on
 * @param exhausted what to say where the session has asked for all its codes
 */
export function refuseToReserve(last: LastAsked | undefined, phone: string, now: Date, exhausted: string): never {
  if (!last) throw movedOn();
  requireResendWait(last, phone, now);
  throw new DomainError('rate_limited', exhausted);
}

/** Whether staff have stopped sending to one of these countries. @param countries ISO 3166-1 alpha-2 */
export async function isSendingStopped({ em }: Pick<Context, 'em'>, countries: string[]): Promise<boolean> {
  return (await em.count(KillSwitch, { kind: 'sms_country', country: { $in: countries } })) > 0;
}
