import type { PoolClient } from 'pg';
import type { CustodyMove } from '../../entities/custody-move.ts';
import type { SaleEndCause } from '../../entities/ended-access.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { idOf, newId, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { recordAudits } from '../../record/audit/record-audit.ts';
import { detailsOfMove } from './order-move.ts';

/** A move between fans of this service, or the end of a withdrawn ticket's listing. */
export interface FanMove {
  permitId: Uuid;
  /** The ticket's owner. A permit that is not issued yet may be issued to another fan: to a former owner. */
  from: Uuid;
  /** Null to take the permit off sale. */
  to: Uuid | null;
}

/** Who orders moves, as for `orderMove`. */
export interface MovesOrigin {
  origin: string;
  /** Why a valid ticket is taken off sale. */
  cause?: SaleEndCause;
  reason: string;
  actor: string;
  requestId: string | null;
  /** The request that a ticket's move is of, where several order moves together. */
  requestOf?: (ticket: Uuid) => string | null;
  /** The access token of the call, if any. */
  staffToken?: string | undefined;
  now: Date;
}

interface MoveRow {
  id: Uuid;
  kind: CustodyMove['kind'];
  permit_id: Uuid;
  ticket_id: Uuid;
  from_wallet: string | null;
  from_fan_id: Uuid;
  destination: string | null;
  origin: string;
}

/** Ends open moves, except those whose transaction may land. */
const replaceOpen = prepared<MoveRow>(`
  update custody_move m set state = 'failed', reason = $2, ended_at = $3 from permit p
  where p.id = m.permit_id and m.permit_id = any($1) and m.state = 'open' and m.signature is null
  returning m.id, m.kind, m.permit_id, p.ticket_id, m.from_wallet, m.from_fan_id, m.destination, m.origin`);

const insertMoves = prepared<MoveRow>(`
  with made as (
    insert into custody_move (id, mode, permit_id, kind, from_wallet, from_fan_id, destination, to_fan_id, cause, origin, reason,
      retry_at, created_at)
    select g.id, f.mode, p.id, case when g.to is null then 'close_listing' else 'transfer' end,
      case when p.issued_at is not null then source.address end, g.from, target.address, g.to, $4, $2,
      case when p.issued_at is null then 'The permit is not issued yet.' end, $3, $3
    from jsonb_to_recordset($1::jsonb) as g(id uuid, "permitId" uuid, "from" uuid, "to" uuid)
      join permit p on p.id = g."permitId" join fan f on f.id = g.from join wallet source on source.fan_id = f.id
      left join wallet target on target.fan_id = g.to
    order by p.id
    on conflict (permit_id) where state = 'open' do nothing
    returning *
  )
  select made.id, made.kind, made.permit_id, p.ticket_id, made.from_wallet, made.from_fan_id, made.destination,
    made.origin
  from made join permit p on p.id = made.permit_id order by made.id`);

/**
 * Orders the transfers of many permits to other fans, within the caller's transaction, which has locked the permits. An open move
 * of a permit is replaced, unless its transaction may land. A permit that is not issued yet moves once it is, from the wallet of the
 * former owner to whom it was issued, unless a claim was first.
 * @returns how many were ordered: fewer than given where an open move can't be replaced
 */
export async function orderTransfers(
  client: PoolClient,
  transfers: readonly (FanMove & { to: Uuid })[],
  origin: MovesOrigin,
): Promise<number> {
  if (transfers.length === 0) return 0;
  const permits = transfers.map(({ permitId }) => permitId);
  const reason = 'A newer order took its place.';
  const replaced = await replaceOpen(client, [permits, reason, origin.now]);
  await record(client, replaced, 'custody_move.failed', { ...origin, actor: 'system', reason });
  return insert(client, transfers, origin);
}

/**
 * Orders that the listings of many permits are closed, within the caller's transaction, which has locked the permits. A
 * permit with an open move needs nothing: a transfer closes the listing, too.
 */
export async function orderClosings(
  client: PoolClient,
  permits: readonly Omit<FanMove, 'to'>[],
  origin: MovesOrigin,
): Promise<void> {
  await insert(
    client,
    permits.map((permit) => ({ ...permit, to: null })),
    origin,
  );
}

async function insert(client: PoolClient, moves: readonly FanMove[], origin: MovesOrigin): Promise<number> {
  if (moves.length === 0) return 0;
  const given = moves.map(({ permitId, from, to }) => ({ id: uuidOf('move', newId('move')), permitId, from, to }));
  const made = await insertMoves(client, [JSON.stringify(given), origin.origin, origin.now, origin.cause ?? null]);
  await record(client, made, 'custody_move.ordered', origin);
  return made.length;
}

async function record(
  client: PoolClient,
  moves: readonly MoveRow[],
  action: 'custody_move.ordered' | 'custody_move.failed',
  origin: MovesOrigin,
): Promise<void> {
  const entries = moves.map((move) => {
    const described = {
      id: idOf('move', move.id),
      kind: move.kind,
      fromWallet: move.from_wallet,
      destination: move.destination,
      origin: move.origin,
      fromFan: { id: idOf('usr', move.from_fan_id) },
    };
    const request_id = origin.requestOf?.(move.ticket_id) ?? origin.requestId;
    const details = { ...detailsOfMove(described, idOf('tkt', move.ticket_id)), reason: origin.reason };
    return { action, subject: idOf('perm', move.permit_id), details, request_id };
  });
  await recordAudits(client, entries, origin);
}
