import type { PoolClient } from 'pg';
import type { ChainGateway } from '../chain/gateway/gateway.ts';
import { prepared } from '../database/prepared.ts';
import { narrowGrants } from '../grant/narrow-grants.ts';
import { newId, uuidOf } from '../identifier/type-id.ts';
import { lockPermits } from './lock-permits.ts';

/**
 * One statement: takes onchain states in, each unless a newer one was taken in before. A ticket goes to the fan whose
 * wallet owns the permit (or to nobody here), listings open and close, and each change leaves an audit entry.
 */
const takeIn = prepared<{ changed: number; moved: string[]; fans: string[] }>(`
  with seen as (
    select * from jsonb_to_recordset($1::jsonb)
      as s(address text, owner text, state text, marketplace text, price bigint, slot bigint, listing_id uuid)
  ), fresh as (
    update permit p set chain_slot = seen.slot from seen
    where p.tix_permit_id = seen.address and (p.chain_slot is null or p.chain_slot <= seen.slot)
    returning p.id as permit_id, p.ticket_id, seen.*
  ), owners as (
    select fresh.*, w.fan_id, t.owner_id as fan_before
    from fresh join ticket t on t.id = fresh.ticket_id left join wallet w on w.address = fresh.owner
  ), moved as (
    update ticket t set owner_id = owners.fan_id from owners
    where t.id = owners.ticket_id and t.owner_id is distinct from owners.fan_id
    returning owners.permit_id, owners.ticket_id, owners.fan_before
  ), closed as (
    update listing l set closed_at = $2,
      outcome = case when exists (select from moved where moved.permit_id = l.permit_id) then 'sold' else 'cancelled' end
    from fresh where l.permit_id = fresh.permit_id and l.closed_at is null
      and (fresh.state = 'held' or l.marketplace <> fresh.marketplace or l.price <> fresh.price
        or exists (select from moved where moved.permit_id = l.permit_id))
    returning l.permit_id, l.outcome
  ), opened as (
    insert into listing (id, permit_id, marketplace, price, opened_at)
    select listing_id, permit_id, marketplace, price, $2 from fresh
    where state = 'listed'
      -- naming "closed" also puts the closing before the opening
      and (exists (select from closed where closed.permit_id = fresh.permit_id)
        or not exists (select from listing l where l.permit_id = fresh.permit_id and l.closed_at is null))
    returning permit_id
  ), changes as (
    select permit_id, 'ticket.moved' as action from moved
    union all select permit_id, 'listing.' || outcome from closed
    union all select permit_id, 'listing.opened' from opened
  ), audited as (
    insert into audit_entry (at, actor, action, subject, details, request_id)
    select $2, 'system', changes.action, fresh.address,
      jsonb_build_object('owner', fresh.owner, 'state', fresh.state, 'marketplace', fresh.marketplace,
        'price', fresh.price::text, 'slot', fresh.slot::text), $3
    from changes join fresh using (permit_id)
    returning 1
  )
  select (select count(*)::int from audited) as changed,
    array(select ticket_id from moved where fan_before is not null) as moved,
    array(select distinct fan_before from moved where fan_before is not null) as fans`);

/** Addresses are in base58; those that are no permit of ours are passed over. */
export interface PermitsToTakeIn {
  addresses: readonly string[];
  /** The slot that their state must have reached. */
  notBefore: number;
  now: Date;
  requestId: string | null;
}

/**
 * Reads the onchain state of permits and takes it in, within the caller's transaction: a ticket that moved leaves the
 * selected grants of the fan who held it. The state is read once the permits are
 * locked: whoever takes in later has read later, also where both read in the same slot.
 * @returns how many changes it made
 * @throws DomainError `unavailable` where the cluster can't be asked
 */
export async function takeInPermits(
  client: PoolClient,
  gateway: Pick<ChainGateway, 'permits'>,
  { addresses, notBefore, now, requestId }: PermitsToTakeIn,
): Promise<number> {
  const locked = (await lockPermits(client, [addresses])).map((permit) => permit.tix_permit_id);
  if (locked.length === 0) return 0;
  const accounts = await gateway.permits(locked, notBefore);
  const seen = accounts.flatMap((account, index) =>
    account === undefined
      ? []
      : [
          {
            ...account,
            address: locked[index],
            price: account.price.toString(),
            listing_id: uuidOf('lst', newId('lst')),
          },
        ],
  );
  const [result] = await takeIn(client, [JSON.stringify(seen), now, requestId]);
  if (!result) return 0;
  await narrowGrants(client, { fans: result.fans, tickets: result.moved, reason: 'ticket_moved', now, requestId });
  return result.changed;
}
