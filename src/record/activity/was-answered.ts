import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlContext } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Id, uuidOf } from '../../platform/identifier/type-id.ts';
import type { WithActivity } from './activity-log.ts';
import type { JUDGED_OPERATIONS } from './operations.ts';

/**
 * A process logs an answer within a second. A call that takes longer than the other second may count as unanswered; its repeat then gets
 * the same successor.
 */
const WRITTEN_AFTER_MS = 2_000;
const LOOK_EVERY_MS = 100;

type LogContext = SqlContext & WithActivity;

/** Of `at`, so that one or two days of the log are locked and read. */
const AROUND = `at between $2::timestamptz - interval '1 hour' and $2::timestamptz + interval '1 hour'`;
const readRequest = prepared(`select from request_log where id = $1 and ${AROUND} and status < 400`);
const readOfSession = prepared(
  `select from request_log where session_id = $1 and ${AROUND} and operation = $3 and status < 400`,
);

/**
 * Whether the request log has a successful answer to a call, of any process (D-226). Waits until the log's batch of that moment is
 * written.
 * @param requestId of the call
 * @param at when the call began
 */
export function wasAnswered(context: LogContext, requestId: string, at: Date): Promise<boolean> {
  return isWritten(context, at, () => readRequest(context.pool, [requestId, at]));
}

/** As `wasAnswered`, for any call of one kind in a session of the login pages. */
export function wasAnsweredInSession(
  context: LogContext,
  session: Id<'sess'>,
  operation: (typeof JUDGED_OPERATIONS)[number],
  at: Date,
): Promise<boolean> {
  return isWritten(context, at, () => readOfSession(context.pool, [uuidOf('sess', session), at, operation]));
}

async function isWritten({ now, activity }: LogContext, at: Date, read: () => Promise<unknown[]>): Promise<boolean> {
  const agoMs = Math.max(0, now().getTime() - at.getTime());
  for (const until = performance.now() + WRITTEN_AFTER_MS - agoMs; ; await sleep(LOOK_EVERY_MS)) {
    const isLast = performance.now() >= until;
    await activity.flush();
    if ((await read()).length > 0) return true;
    if (isLast) return false;
  }
}
