import type { Pool } from 'pg';
import { insertAudit, sqlAction } from '../audit/record-audit.ts';
import { growingPause } from '../database/growing-pause.ts';
import { inTransaction, prepared, preparedWithDates } from '../database/prepared.ts';
import { storableText } from '../database/storable-text.ts';
import type { PermitTaskKind } from '../entities/permit-task.ts';
import { idOf, type Uuid } from '../identifier/type-id.ts';

/** A task that is due, with what the database knows of its permit. Wallets are in base58. */
export interface DueTask {
  id: Uuid;
  kind: PermitTaskKind;
  permit_id: Uuid;
  tix_permit_id: string;
  issued: boolean;
  revoked: boolean;
  /** Wallet of the owner when a transfer was asked for; null where the permit was not issued then. */
  from_wallet: string | null;
  to_wallet: string | null;
  /** Whether a claim of the permit is being settled, or was confirmed. */
  claimed: 'open' | 'confirmed' | null;
  /** When a listing of the permit was co-signed last. */
  listing_signed_at: Date | null;
  attempts: number;
}

const REASON_LENGTH = 300;
const LONGEST_PAUSE_SECONDS = 900;
/** Longer than an attempt: a task whose process was killed is taken again then. */
const LEASE = `interval '90 seconds'`;
const BATCH = 50;

/** Tasks that wait longest come first; concurrent processes take different ones. */
const take = preparedWithDates<DueTask>(`
  with due as (
    select id from permit_task where state = 'open' and next_attempt_at <= $1
    order by next_attempt_at limit ${BATCH} for update skip locked
  ), taken as (
    update permit_task k set next_attempt_at = $1::timestamptz + ${LEASE} from due where k.id = due.id returning k.*
  )
  select k.id, k.kind, k.permit_id, p.tix_permit_id, p.issued_at is not null as issued, p.revoked_at is not null as revoked,
    (select address from wallet where fan_id = k.from_fan_id) as from_wallet,
    (select address from wallet where fan_id = k.to_fan_id) as to_wallet,
    (select case when cl.state = 'confirmed' then 'confirmed' else 'open' end from claim cl
      where cl.permit_id = p.id and cl.state in ('pending', 'submitted', 'confirmed')
      order by cl.state = 'confirmed' limit 1) as claimed,
    (select max(s.signed_at) from listing_signature s where s.permit_id = p.id and s.action = 'list') as listing_signed_at,
    k.attempts
  from taken k join permit p on p.id = k.permit_id`);

const markDone = prepared(
  `update permit_task set state = 'done', reason = null, ended_at = $2 where id = $1 and state = 'open'`,
);

const markEnded = prepared<{ kind: string }>(
  `update permit_task set state = 'ended', reason = $2, ended_at = $3 where id = $1 and state = 'open' returning kind`,
);

const audit = prepared(
  insertAudit({
    at: '$1',
    actor: `'system'`,
    action: sqlAction('permit_task.ended'),
    subject: '$2',
    details: '$3::jsonb',
    requestId: 'null',
    from: '(select) as one',
  }),
);

const postpone = prepared(
  `update permit_task set reason = $2, next_attempt_at = $3::timestamptz + $4::float8 * interval '1 second'
   where id = $1 and state = 'open'`,
);

const fail = prepared<{ attempts: number }>(
  `update permit_task set reason = $2, attempts = attempts + 1,
     next_attempt_at = $3::timestamptz + ${growingPause('attempts', LONGEST_PAUSE_SECONDS)}
   where id = $1 and state = 'open' returning attempts`,
);

/** Takes tasks that are due, for the length of an attempt. */
export function takeTasks(pool: Pool, now: Date): Promise<DueTask[]> {
  return take(pool, [now]);
}

/** The chain shows what a task is for. */
export async function endDone(pool: Pool, { id }: DueTask, now: Date): Promise<void> {
  await markDone(pool, [id, now]);
}

/** A task can't or need not be done any more. */
export async function endForReason(pool: Pool, task: DueTask, reason: string, now: Date): Promise<void> {
  await inTransaction(pool, async (client) => {
    const [ended] = await markEnded(client, [task.id, reason, now]);
    if (ended === undefined) return;
    const details = { reason, kind: task.kind, permit: idOf('perm', task.permit_id) };
    await audit(client, [now, idOf('task', task.id), JSON.stringify(details)]);
  });
}

/** A task that is not to be done yet. @param seconds until it is looked at again */
export async function putOff(pool: Pool, task: DueTask, reason: string, now: Date, seconds: number): Promise<void> {
  await postpone(pool, [task.id, reason, now, seconds]);
}

/** An attempt failed: the task stays open, shows why, and is tried again after a growing pause. @returns failed attempts */
export async function setAside(pool: Pool, task: DueTask, reason: string, now: Date): Promise<number> {
  const [failed] = await fail(pool, [task.id, storableText(reason, REASON_LENGTH), now]);
  return failed?.attempts ?? 0;
}
