import type { Pool, PoolClient } from 'pg';
import { Counter } from 'prom-client';
import type { CUSTODY_MOVE_KINDS } from '../../entities/custody-move.ts';
import type { SaleEndCause } from '../../entities/ended-access.ts';
import { LIVE_GRANT } from '../../oauth/grant/live-grant.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { growingPause } from '../../platform/database/growing-pause.ts';
import { prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { MODES, type Mode } from '../../platform/mode.ts';
import { INSERT_AUDIT, sqlAction } from '../../record/audit/record-audit.ts';
import { openListingOf } from '../../tickets/listing/sales.ts';
import { mayBeResold } from '../../tickets/ticket/future-tickets.ts';

/** An open move that this process has taken. Addresses, signatures and blockhashes are in base58. */
export interface TakenMove {
  id: Uuid;
  mode: Mode;
  kind: (typeof CUSTODY_MOVE_KINDS)[number];
  permit_id: Uuid;
  /** Address of the Permit account. */
  tix_permit_id: string;
  /** See `CustodyMove.cause`. */
  cause: SaleEndCause | null;
  /**
   * Whether its permit must not be on sale: its ticket is no longer valid or may not be resold, its event is over, or it was to be taken off sale and no app
   * with access has had a listing co-signed since.
   */
  must_end: boolean;
  /** Whether its account may be gone: its event is closed onchain. */
  event_closed: boolean;
  /** When a listing of the permit was co-signed last. */
  listing_signed_at: Date | null;
  /** The newest slot at which the permit was synced; 0 before the first. */
  chain_slot: number;
  /** Null until the permit is issued, where it was not when the move was ordered. */
  from_wallet: string | null;
  from_fan_id: Uuid;
  to_fan_id: Uuid | null;
  destination: string | null;
  /** The number of this try: a process that takes the move later has a higher one. */
  tries: number;
  /** Of the transaction that was sent last and may still land. */
  signature: string | null;
  blockhash: string | null;
  sent_at: Date | null;
}

const LONGEST_PAUSE_SECONDS = 300;

const ends = new Counter({
  name: 'custody_moves_total',
  help: 'Moves of permits out of fans’ wallets that ended, and failed tries (set_aside), by mode',
  labelNames: ['mode', 'end'],
});
for (const mode of MODES) for (const end of ['done', 'failed', 'set_aside']) ends.inc({ mode, end }, 0);

export function countMove(mode: Mode, end: 'done' | 'failed' | 'set_aside'): void {
  ends.inc({ mode, end });
}

/** What the columns of a `TakenMove` come from, beside the move `m`. */
const OF_MOVE = `join permit p on p.id = m.permit_id join ticket t on t.id = p.ticket_id
    join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id`;

/** The columns of a `TakenMove`, of the move `m` with `OF_MOVE`; `$2` is the time. */
const MOVE = `m.id, m.mode, m.kind, m.permit_id, p.tix_permit_id, coalesce(p.chain_slot, 0)::float8 as chain_slot,
    p.revoked_at is not null or e.ends_at <= $2 or not ${mayBeResold('tt', 'e', '$2')} or m.cause is not null and not exists (
      select from listing_signature s join consent_grant g on g.id = s.grant_id join client c on c.id = g.client_id
      where s.permit_id = p.id and s.action = 'list' and s.signed_at > m.created_at and ${LIVE_GRANT}) as must_end, m.cause,
    e.closed_at is not null as event_closed,
    (select max(s.signed_at) from listing_signature s where s.permit_id = p.id and s.action = 'list') as listing_signed_at,
    m.from_wallet, m.from_fan_id, m.to_fan_id, m.destination, m.tries, m.signature, m.blockhash, m.sent_at`;

/**
 * Takes due moves, longest waiting first, until `$4`: a process that dies meanwhile leaves them to another one. Permits that are not
 * issued yet have nothing to move.
 */
export const takeDue = preparedWithDates<TakenMove>(`
  with due as (
    select m.id from custody_move m where m.mode = $1 and m.state = 'open' and m.retry_at <= $2
      and exists (select from permit p where p.id = m.permit_id and p.issued_at is not null)
    order by m.retry_at limit $3 for update skip locked
  ), taken as (
    update custody_move m set tries = m.tries + 1, retry_at = $4, reason = null from due where m.id = due.id returning m.*
  )
  select ${MOVE} from taken m ${OF_MOVE}`);

const IS_OPEN = filterOnly(`state = 'open'`);

/** An open move, without taking it. */
export const readOpen = preparedWithDates<TakenMove>(`
  select ${MOVE} from custody_move m ${OF_MOVE} where m.id = $1 and ${filterOnly(`m.state = 'open'`)}`);

/** Holds an open move for the caller's transaction. No row where a transaction of it may land, or a process has taken it since `$2` tries. */
export const holdUnsent = prepared<{ id: Uuid }>(
  `select id from custody_move where id = $1 and ${IS_OPEN} and tries = $2 and signature is null for no key update`,
);

/** The fan to whom the permit of a move was issued, and whose wallet has it; no row where it has been claimed since. */
export const issuedTo = prepared<{ fan_id: Uuid }>(`
  select fan_id from wallet
  where address = $2 and not exists (select from claim where permit_id = $1 and state = 'confirmed')`);

/** A move whose transaction is about to be sent. */
export type SentMove = Pick<
  TakenMove,
  'id' | 'tries' | 'signature' | 'blockhash' | 'sent_at' | 'from_wallet' | 'from_fan_id'
>;

const writeSent = prepared<{ id: Uuid }>(
  `update custody_move m set signature = sent.signature, blockhash = sent.blockhash, sent_at = sent.sent_at,
     from_wallet = sent.from_wallet, from_fan_id = sent.from_fan_id
   from jsonb_to_record($1::jsonb) as sent(id uuid, tries int, signature text, blockhash text, sent_at timestamptz, from_wallet text,
     from_fan_id uuid)
   where m.id = sent.id and ${filterOnly(`m.state = 'open'`)} and m.tries = sent.tries and m.signature is null returning m.id`,
);

/**
 * Records a transaction before it is sent, so that no second one is sent while it may land. The wallet that signs is fixed from now on.
 * @returns false where another process has taken the move
 */
export async function markSent(pool: Pool, sent: SentMove): Promise<boolean> {
  return (await writeSent(pool, [JSON.stringify(sent)])).length > 0;
}

/** Removes a transaction that can no longer land. */
export const forgetSent = prepared<{ id: Uuid }>(
  `update custody_move set signature = null, blockhash = null, sent_at = null
   where id = $1 and ${IS_OPEN} and signature = $2 returning id`,
);

/** Why a move waits once its listing is closed. */
export const MAY_APPEAR = 'A listing that was co-signed earlier may still appear onchain.';

/** Such a move waits no longer once the listing has appeared. */
export const wakeListed = prepared(`
  update custody_move m set retry_at = $1
  where m.state = 'open' and m.retry_at > $1 and m.reason = '${MAY_APPEAR}'
    and exists (${openListingOf('m.permit_id')})`);

/** A move whose try failed waits for the next one. */
export const setAside = prepared<{ id: Uuid }>(
  `update custody_move set reason = $3, retry_at = $4::timestamptz + ${growingPause('tries - 1', LONGEST_PAUSE_SECONDS)}
   where id = $1 and ${IS_OPEN} and tries = $2 returning id`,
);

/** The end of a move, which happens once; identifiers as audit entries name them. */
export interface MoveEnd {
  id: Uuid;
  state: 'done' | 'failed';
  reason: string | null;
  now: Date;
  request: string | null;
  actor: string;
  permit: string;
  move: string;
  ticket: string | null;
  fan: string;
}

const writeEnd = prepared<{ id: Uuid }>(
  `with given as (
     select * from jsonb_to_record($1::jsonb) as g(id uuid, state text, reason text, now timestamptz, request text, actor text,
       permit text, move text, ticket text, fan text)
   ), done as (
     update custody_move m set state = given.state, reason = given.reason, ended_at = given.now from given
     where m.id = given.id and ${filterOnly(`m.state = 'open'`)}
     returning m.kind, m.from_wallet, m.destination, m.origin, given.*
   ), audited as (
     ${INSERT_AUDIT}
     select done.now, done.actor,
       case done.state when 'done' then ${sqlAction('custody_move.done')} else ${sqlAction('custody_move.failed')} end, done.permit,
       jsonb_strip_nulls(jsonb_build_object('move', done.move, 'kind', done.kind, 'ticket', done.ticket, 'fan', done.fan,
         'from', done.from_wallet, 'to', done.destination, 'origin', done.origin, 'reason', done.reason)), done.request
     from done
   )
   select id from done`,
);

export async function endMove(client: PoolClient, end: MoveEnd): Promise<{ id: Uuid }[]> {
  return writeEnd(client, [JSON.stringify(end)]);
}

export const ticketOfPermit = prepared<{ ticket_id: Uuid }>('select ticket_id from permit where id = $1');
