import type { Context } from '../../platform/context.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';

/** SQL of the open listing of a permit, at most one. @param permit SQL of its `uuid` */
export function openListingOf(permit: string): string {
  return `select * from listing where permit_id = ${permit} and ${filterOnly('closed_at is null')}`;
}

/**
 * SQL of the signature that a listing was made with: the newest one that fits its price and marketplace. No row for a listing that this
 * service has no signature of.
 * @param listing alias of a `listing` row
 * @param permit alias of its `permit` row
 */
export function signatureOf(listing: string, permit: string): string {
  return `select signed.* from listing_signature signed
    where signed.permit_id = ${permit}.id and ${isSaleOf('signed', listing, permit)} order by signed.signed_at desc limit 1`;
}

/**
 * SQL: whether a signature fits a listing of the same permit: its sentence begins with the terms of the listing (`sentenceOf` in the
 * co-signing policy). The parameters are aliases of rows.
 */
export function isSaleOf(signature: string, listing: string, permit: string): string {
  return `${signature}.action = 'list' and ${signature}.signed_at <= coalesce(${listing}.closed_at, 'infinity')
    and starts_with(${signature}.sentence, 'List permit ' || ${permit}.tix_permit_id || ' for ' || ${listing}.price
      || ' lamports on marketplace ' || ${listing}.marketplace || ',')`;
}

const countOpen = prepared<{ client: Uuid; count: number }>(`
  select g.client_id as client, count(*)::int as count
  from listing l join permit p on p.id = l.permit_id cross join lateral (${signatureOf('l', 'p')}) s
    join consent_grant g on g.id = s.grant_id
  where l.closed_at is null and g.client_id = any($1) group by g.client_id`);

/** How many tickets each client has on sale. Reads every open listing. */
export async function countSales(
  { pool }: Pick<Context, 'pool'>,
  clients: readonly Id<'client'>[],
): Promise<Map<Id<'client'>, number>> {
  const counts = await countOpen(pool, [clients.map((id) => uuidOf('client', id))]);
  return new Map(counts.map(({ client, count }) => [idOf('client', client), count]));
}

const readSellers = prepared<{ listing: Uuid; client: Uuid }>(`
  select l.id as listing, g.client_id as client
  from listing l join permit p on p.id = l.permit_id cross join lateral (${signatureOf('l', 'p')}) s
    join consent_grant g on g.id = s.grant_id
  where l.id = any($1)`);

/** The client that had each listing co-signed. */
export async function sellersOf(
  { pool }: Pick<Context, 'pool'>,
  listings: readonly Id<'lst'>[],
): Promise<Map<Id<'lst'>, Id<'client'>>> {
  const sellers = await readSellers(pool, [listings.map((id) => uuidOf('lst', id))]);
  return new Map(sellers.map(({ listing, client }) => [idOf('lst', listing), idOf('client', client)]));
}
