import { z } from 'zod';
import { plainDigits } from '../../src/platform/plain-digits.ts';

/** What the calls of the login pages and of the portal have in common: inputs, and the answer about a code that was sent. */

export const IdText = z.string().max(60);

export const PhoneInput = z.strictObject({ phone: z.string().min(1).max(40) });
export const CodeInput = z.strictObject({
  code: z
    .string()
    .overwrite(plainDigits)
    .regex(/^\d{6}$/, { error: 'must be six digits' }),
});
export const TicketIds = z.array(IdText).max(1000).default([]);

export function describeSent({ phone, resendAt, expiresAt }: { phone: string; resendAt: Date; expiresAt: Date }) {
  return { phone, resendAt: resendAt.toISOString(), expiresAt: expiresAt.toISOString() };
}
