import { Counter } from 'prom-client';
import { insertAudit, sqlAction } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { inTransaction, prepared } from '../database/prepared.ts';
import type { DisabledReason } from '../entities/notification.ts';
import { idOf, type Uuid } from '../identifier/type-id.ts';
import { after } from '../oauth/lifetimes.ts';
import type { WaitingNotification } from './notification-body.ts';
import { GIVE_UP_DAYS, pauseAfter, RESTS_AFTER, restAfter } from './retry-times.ts';
import type { Attempt } from './send-notification.ts';

const attempts = new Counter({
  name: 'notification_attempts_total',
  help: 'Attempts of this process to deliver notifications to partners, by result',
  labelNames: ['result'],
});

const recordSuccess = prepared(`
  with done as (
    update notification set state = 'delivered', ended_at = $2, attempts = attempts + 1, failure = null
    where id = $1 and state <> 'delivered'
  )
  insert into notification_attempt (notification_id, at, duration_ms, status, answer)
  select id, $2, $3, $4, $5 from notification where id = $1`);

/** The others of its lane wait with it. */
const recordFailure = prepared(`
  with tried as (
    insert into notification_attempt (notification_id, at, duration_ms, status, failure, answer)
    select id, $2, $3, $4, $5, $6 from notification where id = $1
  ), failed as (
    update notification set attempts = attempts + 1, due_at = $7 where id = $1 and state = 'waiting'
    returning endpoint_id, lane, id
  )
  update notification n set due_at = $7 from failed
  where n.endpoint_id = failed.endpoint_id and n.lane = failed.lane and n.state = 'waiting' and n.id > failed.id
    and n.due_at < $7`);

const endpointFailed = prepared<{ failures: number; failing: boolean }>(`
  update notification_endpoint set failures = failures + 1, failing_since = coalesce(failing_since, $2)
  where id = $1
  returning failures, failing_since <= $2::timestamptz - interval '${GIVE_UP_DAYS} days' as failing`);
const restEndpoint = prepared('update notification_endpoint set rest_until = $2 where id = $1');
const disable = prepared(`
  update notification_endpoint set disabled_at = $2, disabled_reason = $3 where id = $1 and disabled_at is null returning id`);

const endpointTook = prepared(
  'update notification_endpoint set failures = 0, failing_since = null, last_delivered_at = $2 where id = $1',
);

/** It is well again after a rest: what waits for a later attempt is due. */
const endpointWell = prepared(`
  with well as (
    update notification_endpoint set failures = 0, failing_since = null, rest_until = null, last_delivered_at = $2
    where id = $1
  )
  update notification set due_at = $2 where endpoint_id = $1 and state = 'waiting' and attempts > 0 and due_at > $2`);

const audit = prepared(
  insertAudit({
    at: '$2',
    actor: `'system'`,
    action: sqlAction('notification_endpoint.disabled'),
    subject: '$1',
    details: `jsonb_build_object('reason', $3::text)`,
    requestId: '$4',
    from: '(select) as one',
  }),
);

type RecordContext = Pick<Context, 'pool' | 'now' | 'requestId'>;

/** What an attempt means for the endpoint. */
export interface Recorded {
  /** Failures in a row. */
  failures: number;
  /** Nothing is sent to it for now. */
  rests: boolean;
  /** It was disabled just now. */
  disabled: DisabledReason | undefined;
}

/** Records a success. @param failures of the endpoint before, so that a healthy one is not written for each */
export async function recordDelivered(
  { pool, now }: RecordContext,
  endpoint: Uuid,
  { id }: Pick<WaitingNotification, 'id'>,
  { durationMs, status, answer }: Attempt,
  failures: number,
): Promise<Recorded> {
  await recordSuccess(pool, [id, now(), durationMs, status, answer]);
  if (failures >= RESTS_AFTER) await endpointWell(pool, [endpoint, now()]);
  else if (failures > 0) await endpointTook(pool, [endpoint, now()]);
  attempts.inc({ result: 'delivered' });
  return { failures: 0, rests: false, disabled: undefined };
}

/** Records a failure: when the notification is tried again, how long its endpoint rests, and whether that is disabled now. */
export async function recordFailed(
  context: RecordContext,
  endpoint: Uuid,
  { id, attempts: before }: Pick<WaitingNotification, 'id' | 'attempts'>,
  attempt: Attempt,
): Promise<Recorded> {
  const { pool, requestId } = context;
  const now = context.now();
  const { at, durationMs, status, failure, answer, wait = 0, gone } = attempt;
  const pause = Math.max(pauseAfter(before + 1, Math.random()), wait);
  attempts.inc({ result: status === null ? 'no_answer' : 'refused' });
  return inTransaction(pool, async (client) => {
    await recordFailure(client, [id, at, durationMs, status, failure, answer, after(now, pause)]);
    const [state] = await endpointFailed(client, [endpoint, now]);
    const { failures = 0, failing = false } = state ?? {};
    const rest = Math.max(restAfter(failures), status === 429 || status === 503 ? wait : 0);
    if (rest > 0) await restEndpoint(client, [endpoint, after(now, rest)]);
    const reason = gone ? 'gone' : failing ? 'failing' : undefined;
    if (reason === undefined) return { failures, rests: rest > 0, disabled: undefined };
    const [disabled] = await disable(client, [endpoint, now, reason]);
    if (disabled) await audit(client, [idOf('nep', endpoint), now, reason, requestId]);
    return { failures, rests: true, disabled: disabled ? reason : undefined };
  });
}
