import { Counter } from 'prom-client';
import type { DisabledReason } from '../../entities/notification.ts';
import type { Context } from '../../platform/context.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { inTransaction, prepared } from '../../platform/database/prepared.ts';
import { idOf } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { recordAudits } from '../../record/audit/record-audit.ts';
import type { LeasedEndpoint } from './lease-endpoints.ts';
import type { WaitingNotification } from './notification-body.ts';
import { GIVE_UP_DAYS, pauseAfter, RESTS_AFTER, restAfter } from './retry-times.ts';
import type { Attempt } from './send-notification.ts';

const attempts = new Counter({
  name: 'notification_attempts_total',
  help: 'Attempts of this process to deliver notifications to partners, by result',
  labelNames: ['result'],
});

/** Whether the lease `$2` of the endpoint `$1` is still held. The attempt is logged in any case. */
const HELD = 'exists (select from notification_endpoint e where e.id = $1 and e.leased_by = $2)';

const recordSuccess = prepared(`
  with done as (
    update notification set state = 'delivered', ended_at = $4, attempts = attempts + 1, failure = null
    where id = $3 and state <> 'delivered' and ${HELD}
  )
  insert into notification_attempt (notification_id, at, duration_ms, status, answer)
  select id, $4, $5, $6, $7 from notification where id = $3`);

/** The others of its lane wait with it. */
const recordFailure = prepared(`
  with tried as (
    insert into notification_attempt (notification_id, at, duration_ms, status, failure, answer)
    select id, $4, $5, $6, $7, $8 from notification where id = $3
  ), failed as (
    update notification set attempts = attempts + 1, due_at = $9 where id = $3 and ${filterOnly('ended_at is null')} and ${HELD}
    returning endpoint_id, lane, id
  )
  update notification set due_at = $9
  where endpoint_id = (select endpoint_id from failed) and lane = (select lane from failed) and ended_at is null
    and id > (select id from failed) and due_at < $9`);

const endpointFailed = prepared<{ failures: number; failing: boolean }>(`
  update notification_endpoint set failures = failures + 1, failing_since = coalesce(failing_since, $3)
  where id = $1 and leased_by = $2
  returning failures, failing_since <= $3::timestamptz - interval '${GIVE_UP_DAYS} days' as failing`);
const restEndpoint = prepared('update notification_endpoint set rest_until = $2 where id = $1');
const disable = prepared(`
  update notification_endpoint set disabled_at = $2, disabled_reason = $3 where id = $1 and disabled_at is null returning id`);

const endpointTook = prepared(
  'update notification_endpoint set failures = 0, failing_since = null, last_delivered_at = $3 where id = $1 and leased_by = $2',
);

/** The endpoint works again after a rest: notifications that wait for a later attempt are due. */
const endpointWell = prepared(`
  with well as (
    update notification_endpoint set failures = 0, failing_since = null, rest_until = null, last_delivered_at = $3
    where id = $1 and leased_by = $2 returning id
  )
  update notification set due_at = $3
  where endpoint_id = (select id from well) and state = 'waiting' and attempts > 0 and due_at > $3`);

type RecordContext = Pick<Context, 'pool' | 'now' | 'requestId'>;

/** The effect of an attempt on the endpoint. */
export interface Recorded {
  /** Failures in a row. */
  failures: number;
  /** Nothing is sent to it for now. */
  rests: boolean;
  /** It was disabled just now. */
  disabled: DisabledReason | undefined;
}

/** Records a success; under a lease that is lost, the notification goes on waiting. @param failures of the endpoint before, so that a healthy one is not written for each */
export async function recordDelivered(
  { pool, now }: RecordContext,
  { id: endpoint, leased_by: lease }: LeasedEndpoint,
  { id }: Pick<WaitingNotification, 'id'>,
  { durationMs, status, answer }: Attempt,
  failures: number,
): Promise<Recorded> {
  await recordSuccess(pool, [endpoint, lease, id, now(), durationMs, status, answer]);
  if (failures >= RESTS_AFTER) await endpointWell(pool, [endpoint, lease, now()]);
  else if (failures > 0) await endpointTook(pool, [endpoint, lease, now()]);
  attempts.inc({ result: 'delivered' });
  return { failures: 0, rests: false, disabled: undefined };
}

/**
 * Records a failure: when the notification is tried again, how long its endpoint rests, and whether that is disabled now. Under a lease
 * that is lost the attempt is logged, and nothing follows from it.
 */
export async function recordFailed(
  context: RecordContext,
  { id: endpoint, leased_by: lease }: LeasedEndpoint,
  { id, attempts: before }: Pick<WaitingNotification, 'id' | 'attempts'>,
  attempt: Attempt,
): Promise<Recorded> {
  const { pool, requestId } = context;
  const now = context.now();
  const { at, durationMs, status, failure, answer, wait = 0, gone } = attempt;
  const pause = Math.max(pauseAfter(before + 1, Math.random()), wait);
  attempts.inc({ result: status === null ? 'no_answer' : 'refused' });
  return inTransaction(pool, async (client) => {
    await recordFailure(client, [endpoint, lease, id, at, durationMs, status, failure, answer, after(now, pause)]);
    const [state] = await endpointFailed(client, [endpoint, lease, now]);
    if (!state) return { failures: 0, rests: false, disabled: undefined };
    const { failures, failing } = state;
    const rest = Math.max(restAfter(failures), status === 429 || status === 503 ? wait : 0);
    if (rest > 0) await restEndpoint(client, [endpoint, after(now, rest)]);
    const reason = gone ? 'gone' : failing ? 'failing' : undefined;
    if (reason === undefined) return { failures, rests: rest > 0, disabled: undefined };
    const [disabled] = await disable(client, [endpoint, now, reason]);
    if (disabled) {
      const action = 'notification_endpoint.disabled' as const;
      const entry = { action, subject: idOf('nep', endpoint), details: { reason } };
      await recordAudits(client, [entry], { actor: 'system', requestId, now });
    }
    return { failures, rests: true, disabled: disabled ? reason : undefined };
  });
}
