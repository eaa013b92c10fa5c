import type { PoolClient } from 'pg';
import { prepared } from '../../platform/database/prepared.ts';

/** In one order for all, so that two batches never wait for each other. To the day: an import of many batches writes a fan once. */
const vouch = prepared(`
  with due as (
    select id from fan
    where mode = 'production' and phone = any($1) and number_vouched_at < $2::timestamptz - interval '1 day'
    order by id for no key update
  )
  update fan f set number_vouched_at = $2 from due where f.id = due.id`);

/**
 * Notes that the company names numbers as their fans' in rows that it made or changed, within the caller's transaction: one statement,
 * however many.
 * @param phones E.164, of production
 * @see D-073
 */
export async function vouchForNumbers(client: PoolClient, phones: readonly string[], now: Date): Promise<void> {
  if (phones.length > 0) await vouch(client, [phones, now]);
}
