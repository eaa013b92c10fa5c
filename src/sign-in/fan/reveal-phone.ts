import type { EntityManager } from '@mikro-orm/postgresql';
import { Fan } from '../../entities/fan.ts';
import type { WriteContext } from '../../platform/context.ts';
import { takeLock } from '../../platform/database/advisory-lock.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { after } from '../../platform/time.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit, sqlAction } from '../../record/audit/record-audit.ts';
import { numberOf } from './find-fans.ts';

/**
 * A fan's whole phone number (E.164). The audit log records the actor and the reason.
 * @param request.bulkReason why more than 20 numbers are needed; required from the 21st number within five minutes on
 * @throws DomainError `not_found`; `invalid_request` without a reason; `reason_required`; `conflict` where the fan has no number
 */
export async function revealPhone(
  context: WriteContext,
  request: { fanId: string; reason: string; bulkReason?: string | null | undefined },
  actor: string,
): Promise<string> {
  const { fanId, bulkReason } = request;
  const reason = givenReason(request.reason);
  return context.em.transactional(async (em) => {
    const fan = await rowUnder(em, Fan, 'usr', fanId);
    const phone = numberOf(fan);
    const details = { reason, ...(await checkRevealed(em, { actor, numbers: 1, bulkReason }, context.now())) };
    recordAudit({ ...context, em }, { actor, action: 'fan.phone_revealed', subject: fan.id, details });
    return phone;
  });
}

/** Phone numbers that one caller sees within `REVEAL_WINDOW` without a `bulkReason`. */
export const MOST_REVEALED = 20;
/** Seconds. */
export const REVEAL_WINDOW = 5 * 60;

/** Counts the numbers shown since the last entry with a `bulkReason`, which restarts the count. The entry of a file says how many it had. */
const countRevealed = prepared<{ numbers: number }>(`
  with recent as (
    select id, details from audit_entry where actor = $1 and at > $2
      and action in (${sqlAction('fan.phone_revealed')}, ${sqlAction('import_run.failures_exported')})
  )
  select coalesce(sum(coalesce((details->>'numbers')::int, 1)), 0)::int as numbers from recent
  where id > coalesce((select max(id) from recent where details->>'bulkReason' is not null), 0)`);

interface Wanted {
  /** A person or a service account, as audit entries name them. */
  actor: string;
  /** How many numbers this call reveals. */
  numbers: number;
  bulkReason: string | null | undefined;
}

/**
 * Requires a separate reason for many numbers in a short time. Runs in the transaction that writes the audit entry: one caller's calls
 * wait for each other, so that each counts those before.
 * @returns the separate reason, if there is one, for the details of the audit entry
 * @throws DomainError `reason_required`; `invalid_request` for a malformed reason
 */
export async function checkRevealed(
  em: EntityManager,
  { actor, numbers, bulkReason }: Wanted,
  at: Date,
): Promise<{ bulkReason?: string }> {
  if (bulkReason != null && bulkReason.trim() !== '') return { bulkReason: givenReason(bulkReason, 'bulkReason') };
  await takeLock(em, 'revealedNumbers', actor);
  const [row] = await countRevealed(em, [actor, after(at, -REVEAL_WINDOW)]);
  const seen = row?.numbers ?? 0;
  if (seen + numbers <= MOST_REVEALED) return {};
  throw new DomainError(
    'reason_required',
    `This would be ${seen + numbers} phone numbers within five minutes. Say why more than ${MOST_REVEALED} are needed (bulkReason).`,
  );
}
