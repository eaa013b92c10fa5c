import type { RevocationReason } from '../../entities/consent-grant.ts';
import type { NarrowingReason } from './audit-actions.ts';

/** A field that an audited edit changed. */
export interface AuditChange {
  field: string;
  /** Undefined where the field was missing. */
  before: unknown;
  after: unknown;
}

/** The changed fields, from `before` and `after` in the details of an entry. */
export function changesOf(details: Record<string, unknown>): AuditChange[] {
  const { before, after } = details;
  if (!isObject(before) || !isObject(after)) return [];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .map((field) => ({ field, before: before[field], after: after[field] }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The service's own reasons, in words. */
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

/** Why something was done: the text of a person, or the service's own reason in words. @param details of an entry */
export function whyOf({ note, reason }: Record<string, unknown>): string | null {
  const given = typeof note === 'string' && note.trim() !== '' ? note : reason;
  return typeof given === 'string' && given !== '' ? (CODED[given] ?? given) : null;
}
