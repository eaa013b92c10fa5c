import type { PoolClient } from 'pg';
import { insertAudit, sqlAction } from '../audit/record-audit.ts';
import type { ChainGateway } from '../chain/gateway/gateway.ts';
import type { PermitAccount } from '../chain/gateway/permit-account.ts';
import { type AccountReading, isUnreadable } from '../chain/gateway/read-accounts.ts';
import { prepared } from '../database/prepared.ts';
import { narrowGrants } from '../grant/narrow-grants.ts';
import { newId, type Uuid, uuidOf } from '../identifier/type-id.ts';
import { lockPermits } from './lock-permits.ts';

/**
 * One statement: takes onchain states in, each unless a newer one was taken in before. A ticket goes to the fan whose
 * wallet owns the permit (or to nobody here), listings open and close, and each change leaves an audit entry.
 */
const takeIn = prepared<{ changed: number; moved: Uuid[]; fans: Uuid[] }>(`
  with seen as (
    select * from jsonb_to_recordset($1::jsonb)
      as s(address text, owner text, state text, marketplace text, price numeric(20,0), slot bigint, listing_id uuid)
  ), fresh as (
    update permit p set chain_slot = seen.slot from seen
    where p.tix_permit_id = seen.address and (p.chain_slot is null or p.chain_slot <= seen.slot)
    returning p.id as permit_id, p.ticket_id, seen.*
  ), readable as (
    delete from unread_permit u using seen join permit p on p.tix_permit_id = seen.address where u.permit_id = p.id
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
    select permit_id, ${sqlAction('ticket.moved')} as action from moved
    union all select permit_id,
      case outcome when 'sold' then ${sqlAction('listing.sold')} else ${sqlAction('listing.cancelled')} end from closed
    union all select permit_id, ${sqlAction('listing.opened')} from opened
  ), audited as (
    ${insertAudit({
      at: '$2',
      actor: `'system'`,
      action: 'changes.action',
      subject: 'fresh.address',
      details: `jsonb_build_object('owner', fresh.owner, 'state', fresh.state, 'marketplace', fresh.marketplace,
        'price', fresh.price::text, 'slot', fresh.slot::text)`,
      requestId: '$3',
      from: 'changes join fresh using (permit_id)',
    })}
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

/** A permit whose state could not be taken in. */
export interface UnreadablePermit {
  /** Base58. */
  address: string;
  reason: string;
}

export interface TakenIn {
  /** How many changes were made. */
  changes: number;
  /** What the chain says, by address. Permits that are not on the chain are not in it. */
  permits: ReadonlyMap<string, PermitAccount>;
  /** Those whose account can't be decoded. Nothing was changed for them. */
  unreadable: UnreadablePermit[];
}

/**
 * Reads the onchain state of permits and takes it in, within the caller's transaction: a ticket that moved leaves the
 * selected grants of the fan who held it. The state is read once the permits are
 * locked: whoever takes in later has read later, also where both read in the same slot.
 * @throws DomainError `unavailable` where the cluster can't be asked
 * @throws Error of PostgreSQL where a state can't be stored; the transaction is lost then (`isRowFault`)
 */
export async function takeInPermits(
  client: PoolClient,
  gateway: Pick<ChainGateway, 'permits'>,
  { addresses, notBefore, now, requestId }: PermitsToTakeIn,
): Promise<TakenIn> {
  const locked = (await lockPermits(client, [addresses])).map((permit) => permit.tix_permit_id);
  const { permits, unreadable } = sort(locked, await gateway.permits(locked, notBefore));
  if (permits.size === 0) return { changes: 0, permits, unreadable };
  const seen = [...permits].map(([address, account]) => ({
    ...account,
    address,
    price: account.price.toString(),
    listing_id: uuidOf('lst', newId('lst')),
  }));
  const [result] = await takeIn(client, [JSON.stringify(seen), now, requestId]);
  if (!result) return { changes: 0, permits, unreadable };
  await narrowGrants(client, { fans: result.fans, tickets: result.moved, reason: 'ticket_moved', now, requestId });
  return { changes: result.changed, permits, unreadable };
}

function sort(
  addresses: readonly string[],
  readings: readonly AccountReading<PermitAccount>[],
): { permits: Map<string, PermitAccount>; unreadable: UnreadablePermit[] } {
  const permits = new Map<string, PermitAccount>();
  const unreadable: UnreadablePermit[] = [];
  for (const [index, address] of addresses.entries()) {
    const reading = readings[index];
    if (isUnreadable(reading)) unreadable.push({ address, reason: reading.reason });
    else if (reading !== undefined) permits.set(address, reading);
  }
  return { permits, unreadable };
}
