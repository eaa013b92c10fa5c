import type { Pool, PoolClient } from 'pg';
import { Counter } from 'prom-client';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { MODES, type Mode } from '../entities/mode.ts';
import type { UnreadablePermit } from './take-in-permits.ts';

/**
 * Permits whose state could not be taken in. Each waits in `unread_permit` for its next try, for all processes: the pause
 * doubles from try to try.
 */
export interface SetAside {
  permit: string;
  reason: string;
  tries: number;
}

const FIRST_PAUSE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 900;
const REASON_LENGTH = 300;
/** 2^20 pauses are longer than the longest one, and far from the end of a double. */
const MOST_DOUBLINGS = 20;

const failures = new Counter({
  name: 'reconcile_unread_permits_total',
  help: 'Tries to take in the onchain state of a permit that failed for that permit alone, by mode',
  labelNames: ['mode'],
});

for (const mode of MODES) failures.inc({ mode }, 0);

/** Another try counts when it is due, or for a newer state: two processes that fail at once count as one. */
const write = prepared<SetAside>(`
  insert into unread_permit (permit_id, reason, since, tries, slot, retry_at)
  select p.id, given.reason, $2, 1, $3, $2::timestamptz + make_interval(secs => ${FIRST_PAUSE_SECONDS})
  from jsonb_to_recordset($1::jsonb) as given(address text, reason text) join permit p on p.tix_permit_id = given.address
  order by p.id
  on conflict (permit_id) do update set reason = excluded.reason, tries = unread_permit.tries + 1,
    slot = greatest(unread_permit.slot, excluded.slot),
    retry_at = $2::timestamptz + make_interval(secs => least(${LONGEST_PAUSE_SECONDS},
      ${FIRST_PAUSE_SECONDS} * power(2, least(unread_permit.tries, ${MOST_DOUBLINGS}))))
  where unread_permit.retry_at <= $2 or unread_permit.slot < excluded.slot
  returning (select tix_permit_id from permit where id = permit_id) as permit, reason, tries`);

const remove = prepared(`
  delete from unread_permit where permit_id in (select id from permit where tix_permit_id = any($1))`);

/**
 * Puts permits aside until their next try.
 * @param slot that their state must have reached
 * @returns those that this call put aside; the others were put aside by somebody else and wait
 */
export async function setAside(
  database: Pool | PoolClient,
  unreadable: readonly UnreadablePermit[],
  slot: number,
  now: Date,
): Promise<SetAside[]> {
  if (unreadable.length === 0) return [];
  const given = unreadable.map(({ address, reason }) => ({ address, reason: storable(reason) }));
  return write(database, [JSON.stringify(given), now, slot]);
}

/** Forgets permits that are not on the chain: there is nothing to read. @param addresses base58 */
export async function forgetUnread(database: Pool | PoolClient, addresses: readonly string[]): Promise<void> {
  if (addresses.length > 0) await remove(database, [addresses]);
}

/** Counts failed tries; logs a permit once, when it is first put aside. Call it after the commit. */
export function reportUnread({ log }: Pick<Context, 'log'>, mode: Mode, aside: readonly SetAside[]): void {
  for (const { permit, reason, tries } of aside) {
    failures.inc({ mode });
    if (tries === 1) log.error({ mode, permit, reason }, 'the onchain state of a permit could not be taken in');
  }
}

/** A reason may quote the node: PostgreSQL's text and JSON hold neither NUL nor half a surrogate pair. */
function storable(reason: string): string {
  return reason.replaceAll('\0', ' ').toWellFormed().slice(0, REASON_LENGTH).toWellFormed();
}
