import type { WriteContext } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { after, DAY } from '../../platform/time.ts';
import { deleteWithin } from './delete-fan.ts';

/** Seconds: a sign-in or a claim that was under way when the fan left has ended by then. */
const SETTLED_AFTER = 3600;
/** Seconds after which nothing can be added to an account any more. */
const RECENT = DAY;
const BATCH = 100;

/** Fans who have left and still have a wallet, in the order of ids. */
const readLeft = prepared<{ id: Uuid; isRecent: boolean }>(`
  select f.id, f.deleted_at > $2 as "isRecent" from fan f join wallet w on w.fan_id = f.id
  where f.deleted_at is not null and f.id > $1 order by f.id limit ${BATCH}`);

/** The wallets that hold no permit, and to which none is on its way. */
const destroyKeys = prepared<{ id: Uuid }>(`
  delete from wallet w using fan f
  where w.fan_id = any($1) and f.id = w.fan_id and f.deleted_at <= $2
    and not exists (select from ticket t join permit p on p.ticket_id = t.id where t.owner_id = f.id and p.closed_at is null
      and (p.issued_at is not null or p.revoked_at is null))
    and not exists (select from custody_move m where m.state = 'open' and (m.from_fan_id = f.id or m.to_fan_id = f.id))
    and not exists (select from consent_grant g join claim x on x.grant_id = g.id
      where g.fan_id = f.id and (x.state in ('pending', 'submitted') or x.next_attempt_at is not null))
  returning f.id`);

/**
 * Finishes what the deletion of fans could not: deletes what a sign-in under way has added since, and destroys the wallet's sealed key
 * once no permit is left in it. Any number of processes may run it.
 * @param limit ends the run at the end of a batch
 */
export async function finishLeaving(context: WriteContext, limit?: AbortSignal): Promise<void> {
  const { em, now } = context;
  for (let last = '00000000-0000-0000-0000-000000000000' as Uuid; !limit?.aborted; ) {
    const left = await readLeft(em, [last, after(now(), -RECENT)]);
    for (const { id, isRecent } of left) {
      if (isRecent) await em.fork().transactional((tx) => deleteWithin({ ...context, em: tx }, idOf('usr', id)));
    }
    await destroyKeys(em, [left.map(({ id }) => id), after(now(), -SETTLED_AFTER)]);
    const newest = left.at(-1);
    if (!newest || left.length < BATCH) return;
    last = newest.id;
  }
}
