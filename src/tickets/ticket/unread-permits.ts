import type { Pool, PoolClient } from 'pg';
import { Counter } from 'prom-client';
import type { Context } from '../../platform/context.ts';
import { growingPause } from '../../platform/database/growing-pause.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { MODES, type Mode } from '../../platform/mode.ts';
import type { UnreadablePermit } from './sync-permits.ts';

/** A permit whose state could not be synced. It waits in `unread_permit` for its next try, whose pause doubles each time. */
export interface DeferredPermit {
  permit: string;
  reason: string;
  tries: number;
}

const LONGEST_PAUSE_SECONDS = 900;
const REASON_LENGTH = 300;

const failures = new Counter({
  name: 'reconcile_unread_permits_total',
  help: 'Failed tries to sync the onchain state of a single permit, by mode',
  labelNames: ['mode'],
});

for (const mode of MODES) failures.inc({ mode }, 0);

/**
 * A try counts when it was due, or for a newer state: two processes that fail at once count as one. A permit that was never onchain is
 * not put aside for being absent.
 */
const write = prepared<DeferredPermit>(`
  insert into unread_permit (permit_id, reason, since, tries, slot, retry_at)
  select p.id, given.reason, $2, 1, $3, $2::timestamptz + ${growingPause('0', LONGEST_PAUSE_SECONDS)}
  from jsonb_to_recordset($1::jsonb) as given(address text, reason text, absent boolean)
    join permit p on p.tix_permit_id = given.address
  where given.absent is not true or p.chain_slot is not null
  order by p.id
  on conflict (permit_id) do update set reason = excluded.reason, tries = unread_permit.tries + 1,
    slot = greatest(unread_permit.slot, excluded.slot),
    retry_at = $2::timestamptz + ${growingPause('unread_permit.tries', LONGEST_PAUSE_SECONDS)}
  where unread_permit.retry_at <= $2 or unread_permit.slot < excluded.slot
  returning (select tix_permit_id from permit where id = permit_id) as permit, reason, tries`);

const remove = prepared(`
  delete from unread_permit
  where permit_id in (select id from permit where tix_permit_id = any($1) and chain_slot is null)`);

/**
 * Defers permits until their next try.
 * @param slot that the state must have reached
 * @returns those deferred by this call, and not by another process
 */
export async function deferUnread(
  database: Pool | PoolClient,
  unreadable: readonly UnreadablePermit[],
  slot: number,
  now: Date,
): Promise<DeferredPermit[]> {
  if (unreadable.length === 0) return [];
  const given = unreadable.map(({ address, reason, absent }) => {
    return { address, reason: storableText(reason, REASON_LENGTH), absent };
  });
  return write(database, [JSON.stringify(given), now, slot]);
}

/** Deletes the tries of permits that were never onchain. @param addresses of permits that the cluster does not have, base58 */
export async function deleteUnissued(database: Pool | PoolClient, addresses: readonly string[]): Promise<void> {
  if (addresses.length > 0) await remove(database, [addresses]);
}

/** Counts failed tries, and logs the first of each permit, a line for each reason. Call it after the commit. */
export function reportUnread({ log }: Pick<Context, 'log'>, mode: Mode, deferred: readonly DeferredPermit[]): void {
  if (deferred.length > 0) failures.inc({ mode }, deferred.length);
  const first = deferred.filter(({ tries }) => tries === 1);
  for (const [reason, those] of Map.groupBy(first, (each) => each.reason)) {
    const permits = those.map(({ permit }) => permit);
    log.error({ mode, reason, permits }, 'the onchain state of permits could not be read');
  }
}
