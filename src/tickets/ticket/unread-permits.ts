import type { Pool, PoolClient } from 'pg';
import { Counter } from 'prom-client';
import type { Context } from '../../platform/context.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { MODES, type Mode } from '../../platform/mode.ts';
import { removeUnread, writeUnread } from './statements.ts';
import type { UnreadablePermit } from './sync-permits.ts';

/** A permit whose state could not be synced. It waits in `unread_permit` for its next try, whose pause doubles each time. */
export interface DeferredPermit {
  permit: string;
  reason: string;
  tries: number;
}
const REASON_LENGTH = 300;

const failures = new Counter({
  name: 'reconcile_unread_permits_total',
  help: 'Failed tries to sync the onchain state of a single permit, by mode',
  labelNames: ['mode'],
});

for (const mode of MODES) failures.inc({ mode }, 0);

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
  return writeUnread(database, [JSON.stringify(given), now, slot]);
}

/** Deletes the tries of permits that were never onchain. @param addresses of permits that the cluster does not have, base58 */
export async function deleteUnissued(database: Pool | PoolClient, addresses: readonly string[]): Promise<void> {
  if (addresses.length > 0) await removeUnread(database, [addresses]);
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
