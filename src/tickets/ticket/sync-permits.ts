/**
 * What goes through this room: the state of permits is read from the chain and stored with their tickets, listings and grants
 * (`sync-permits.ts`), many at once (`sync-in-batches.ts`), those that changed (`reconcile.ts`), under locks in one order
 * (`lock-permits.ts`). What a fan holds for the future is one query part (`future-tickets.ts`), and `GET /tickets` reads it
 * (`fetch-tickets.ts`).
 *
 * @module
 */
import type { PoolClient } from 'pg';
import type { ChainGateway } from '../../chain/gateway/gateway.ts';
import { type AccountReading, isUnreadable, type PermitAccount } from '../../chain/gateway/read-accounts.ts';
import { narrowGrants } from '../../oauth/grant/narrow-grants.ts';
import { newId, uuidOf } from '../../platform/identifier/type-id.ts';
import { lockPermits } from './lock-permits.ts';
import { storeStates } from './statements.ts';

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

/** As `syncPermits`, for permits that the transaction has locked already. */
export async function storePermits(
  client: PoolClient,
  gateway: Pick<ChainGateway, 'permits'>,
  { addresses, notBefore, now, requestOf }: PermitSync,
): Promise<SyncResult> {
  const { permits, unreadable } = partition(addresses, await gateway.permits(addresses, notBefore));
  if (permits.size === 0) return { changes: 0, permits, unreadable };
  const seen = [...permits].map(([address, { owner, state, marketplace, price, slot }]) => ({
    address,
    owner,
    state,
    marketplace,
    price: price.toString(),
    slot,
    listing_id: state === 'listed' ? uuidOf('lst', newId('lst')) : null,
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
