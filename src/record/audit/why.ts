import type { NarrowingReason, RevocationReason } from './audit-actions.ts';

/** What the service does by itself, in words. */
const CODED: Partial<Record<string, string>> = {
  code_reuse: 'An authorization code was used twice.',
  refresh_token_reuse: 'A refresh token was used twice.',
  revoked_by_client: 'The app revoked its token.',
  revoked_by_staff: 'Staff ended it.',
  revoked_by_fan: 'The fan ended access.',
  expired: 'Its last token expired.',
  sandbox_reset: 'The sandbox was reset.',
  ticket_moved: 'The ticket moved to another wallet.',
  event_ended: 'The event ended.',
  ticket_withdrawn: 'The ticket was refunded, made void, or its event was cancelled.',
  event_cancelled: 'The event was cancelled.',
} satisfies Record<RevocationReason | NarrowingReason | 'event_cancelled', string>;

/** Why something was done: what a person typed, else the service's own reason in words. @param details of an entry */
export function whyOf({ note, reason }: Record<string, unknown>): string | null {
  const given = typeof note === 'string' && note.trim() !== '' ? note : reason;
  return typeof given === 'string' && given !== '' ? (CODED[given] ?? given) : null;
}
