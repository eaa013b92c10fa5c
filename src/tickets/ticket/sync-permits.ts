import type { PoolClient } from 'pg';
import type { ChainGateway } from '../../chain/gateway/gateway.ts';
import { type AccountReading, isUnreadable, type PermitAccount } from '../../chain/gateway/read-accounts.ts';
import { narrowGrants } from '../../oauth/grant/narrow-grants.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { newId, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { insertAudit, sqlAction } from '../../record/audit/record-audit.ts';
import { lockPermits } from './lock-permits.ts';

/**
 * Stores onchain states, each unless a newer one is stored. A ticket's owner becomes the fan whose wallet owns the permit, or null;
 * listings open and close; each change writes an audit entry, and is looked at again once its slot is final (`recheck-final.ts`).
 * `$3`, the addresses again, tells the planner that they are few: for a JSON of unknown length it reads tables of some thousand rows whole.
 */
const storeStates = prepared<{ changed: number; moved: MovedTicket[] }>(`
  with seen as (
    select * from jsonb_to_recordset($1::jsonb)
      as s(address text, owner text, state text, marketplace text, price numeric(20,0), slot bigint, listing_id uuid,
        request_id text)
  ), fresh as (
    update permit p set chain_slot = seen.slot from seen
    where p.tix_permit_id = any($3) and p.tix_permit_id = seen.address and (p.chain_slot is null or p.chain_slot <= seen.slot)
    returning p.id as permit_id, p.ticket_id, seen.*
  ), readable as (
    delete from unread_permit u using permit p where p.tix_permit_id = any($3) and u.permit_id = p.id
  ), owners as (
    select fresh.*, w.fan_id, t.owner_id as fan_before
    from fresh join ticket t on t.id = fresh.ticket_id left join wallet w on w.address = fresh.owner
  ), moved as (
    update ticket t set owner_id = owners.fan_id from owners
    where t.id = owners.ticket_id and t.owner_id is distinct from owners.fan_id
    returning owners.permit_id, owners.ticket_id, owners.fan_before, owners.request_id
  ), listed as materialized (
    select l.id, fresh.permit_id, l.marketplace, l.price
    from fresh, lateral (select * from listing where permit_id = fresh.permit_id and ${filterOnly('closed_at is null')} limit 1) l
  ), closed as (
    update listing l set closed_at = $2,
      outcome = case when l.permit_id in (select permit_id from moved) then 'sold' else 'cancelled' end
    from listed join fresh using (permit_id)
    where l.id = listed.id and (fresh.state = 'held' or listed.marketplace <> fresh.marketplace or listed.price <> fresh.price
        or exists (select from moved where moved.permit_id = listed.permit_id))
    returning l.permit_id, l.outcome
  ), opened as (
    insert into listing (id, permit_id, marketplace, price, opened_at)
    select listing_id, permit_id, marketplace, price, $2 from fresh
    where state = 'listed'
      -- naming "closed" also puts the closing before the opening
      and (exists (select from closed where closed.permit_id = fresh.permit_id)
        or not exists (select from listed where listed.permit_id = fresh.permit_id))
    returning permit_id
  ), changes as (
    select permit_id, ${sqlAction('ticket.moved')} as action from moved
    union all select permit_id,
      case outcome when 'sold' then ${sqlAction('listing.sold')} else ${sqlAction('listing.cancelled')} end from closed
    union all select permit_id, ${sqlAction('listing.opened')} from opened
  ), unfinal as (
    insert into unfinal_permit (permit_id, slot)
    select distinct permit_id, fresh.slot from changes join fresh using (permit_id)
    on conflict (permit_id) do update set slot = excluded.slot
  ), audited as (
    ${insertAudit({
      at: '$2',
      actor: `'system'`,
      action: 'changes.action',
      subject: 'fresh.address',
      details: `jsonb_build_object('owner', fresh.owner, 'state', fresh.state, 'marketplace', fresh.marketplace,
        'price', fresh.price::text, 'slot', fresh.slot::text)`,
      requestId: 'fresh.request_id',
      from: 'changes join fresh using (permit_id)',
    })}
    returning 1
  )
  select (select count(*)::int from audited) as changed,
    coalesce((
      select json_agg(json_build_object('ticket', ticket_id, 'fan', fan_before, 'requestId', request_id))
      from moved where fan_before is not null), '[]') as moved`);

/** A ticket that a fan had before. */
interface MovedTicket {
  ticket: Uuid;
  fan: Uuid;
  requestId: string | null;
}

export interface PermitSync {
  /** Base58. Addresses of unknown permits are ignored. */
  addresses: readonly string[];
  /** The slot that the state must have reached. */
  notBefore: number;
  now: Date;
  /** The request on whose behalf a permit is synced, by its address; null in a job. */
  requestOf: (address: string) => string | null;
}

/** A permit whose state could not be synced. */
export interface UnreadablePermit {
  /** Base58. */
  address: string;
  reason: string;
  /** Whether the cluster has no account there. */
  absent?: boolean;
}

export interface SyncResult {
  /** How many changes were made. */
  changes: number;
  /** The accounts that exist onchain, by address. */
  permits: ReadonlyMap<string, PermitAccount>;
  /** Permits whose account cannot be decoded. Nothing was changed for them. */
  unreadable: UnreadablePermit[];
}

/**
 * Reads the onchain state of permits and stores it, within the caller's transaction. A ticket that moved is removed from the
 * selected grants of its previous owner. The permits are locked before they are read, so a later sync never stores an older state.
 * @throws DomainError `unavailable` where the cluster cannot be reached
 * @throws Error of PostgreSQL where a state cannot be stored (`isRowFault`); the transaction is then aborted
 */
export async function syncPermits(
  client: PoolClient,
  gateway: Pick<ChainGateway, 'permits'>,
  sync: PermitSync,
): Promise<SyncResult> {
  const locked = await lockPermits(client, [sync.addresses]);
  return storePermits(client, gateway, { ...sync, addresses: locked.map((permit) => permit.tix_permit_id) });
}

/** As `syncPermits`, of permits that the transaction has locked. */
export async function storePermits(
  client: PoolClient,
  gateway: Pick<ChainGateway, 'permits'>,
  { addresses, notBefore, now, requestOf }: PermitSync,
): Promise<SyncResult> {
  const { permits, unreadable } = partition(addresses, await gateway.permits(addresses, notBefore));
  if (permits.size === 0) return { changes: 0, permits, unreadable };
  const seen = [...permits].map(([address, account]) => ({
    ...account,
    address,
    price: account.price.toString(),
    listing_id: account.state === 'listed' ? uuidOf('lst', newId('lst')) : null,
    request_id: requestOf(address),
  }));
  const [result] = await storeStates(client, [JSON.stringify(seen), now, [...permits.keys()]]);
  if (!result) return { changes: 0, permits, unreadable };
  const { moved } = result;
  const requests = new Map(moved.map(({ ticket, requestId }) => [ticket, requestId]));
  await narrowGrants(client, {
    fans: [...new Set(moved.map(({ fan }) => fan))],
    tickets: moved.map(({ ticket }) => ticket),
    reason: 'ticket_moved',
    now,
    requestOf: (ticket) => requests.get(ticket) ?? null,
  });
  return { changes: result.changed, permits, unreadable };
}

function partition(
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
