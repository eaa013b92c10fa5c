import { LRUCache } from 'lru-cache';
import type { PoolClient } from 'pg';
import type { Chain } from '../../chain/chains.ts';
import type { IssueTransaction } from '../../entities/issuing.ts';
import type { IssuingConfig } from '../../platform/config/config.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { MARK_CLOSED } from './waiting-permits.ts';

/** Statements about the transactions that issue or close permits. A lamport amount is text, as PostgreSQL gives a bigint. */

/** A transaction that may land, or that a fork may still drop. */
export interface OpenIssue {
  signature: string;
  /** Whether it closes permits. */
  closes: boolean;
  state: Extract<IssueTransaction['state'], 'open' | 'landed'>;
  /** Base64. */
  bytes: string;
  last_valid_height: number;
  slot: number;
  permits: number;
  fee: string;
  rent: string;
  /** Whether it was last sent some seconds ago, or never. */
  stale: boolean;
}

/** Seconds that a process has to look at a transaction before others do. */
const LOOK_SECONDS = 10;
/** A leader may drop a transaction: the same bytes are sent again, and land once. */
const RESEND_SECONDS = 2;

/** Takes those that are due to be looked at. `$1` mode, `$2` now, `$3` how many. */
export const takeOpen = prepared<OpenIssue>(`
  with due as (
    select signature from issue_transaction where mode = $1 and state in ('open', 'landed') and look_at <= $2
    order by look_at limit $3 for update skip locked
  )
  update issue_transaction i set look_at = $2::timestamptz + interval '${LOOK_SECONDS} seconds'
  from due where i.signature = due.signature
  returning i.signature, i.closes, i.state, i.bytes, i.last_valid_height::float8 as last_valid_height, i.slot::float8 as slot, i.permits,
    i.fee::text as fee, i.rent::text as rent, i.sent_at is null or i.sent_at <= $2::timestamptz - interval '${RESEND_SECONDS} seconds' as stale`);

/** Sets when to look again. `$1` signatures, `$2` when. */
export const lookAgain = prepared(
  `update issue_transaction set look_at = $2 where signature = any($1) and ${filterOnly(`state in ('open', 'landed')`)}`,
);

/** `$1` signatures, `$2` now. */
export const markSent = prepared('update issue_transaction set sent_at = $2 where signature = any($1)');

/**
 * Marks a transaction as seen at `confirmed`, with its real costs: the permits that it issues count as issued. They stay in the queue
 * until it is final. `$1` signature, `$2` now, `$3` fee, `$4` rent. Null costs: what was expected.
 */
export const markLanded = prepared(`
  with was as (
    select * from issue_transaction where signature = $1 and ${filterOnly(`state = 'open'`)} for update
  ), done as (
    update issue_transaction i set state = 'landed', fee = coalesce($3::bigint, i.fee), rent = coalesce($4::bigint, i.rent)
    from was where i.signature = was.signature
  ), booked as (
    update issue_day d set fees = d.fees + coalesce($3::bigint, was.fee) - was.fee, rent = d.rent + coalesce($4::bigint, was.rent) - was.rent
    from was where d.mode = was.mode and d.day = was.day and d.closes = was.closes
  )
  update permit p set issued_at = $2 from waiting_permit w, was
  where w.signature = was.signature and not was.closes and p.id = w.permit_id and p.issued_at is null`);

/**
 * Marks a transaction as final: its permits leave the queue, and those that it closes count as closed, each with its share of the
 * lamports. `$1` signature, `$2` now. Returns how many it closed, and for how many lamports in all.
 */
export const markFinal = prepared<{ permits: number; lamports: string }>(`
  with done as (
    update issue_transaction set state = 'final', bytes = null where signature = $1 and ${filterOnly(`state = 'landed'`)}
    returning signature, closes, permits, -rent as lamports
  ), left_queue as (
    delete from waiting_permit w using done where w.signature = done.signature returning w.permit_id
  ), gone as (
    select permit_id, lamports::numeric / permits as lamports from left_queue, done where done.closes
  ), ${MARK_CLOSED}
  select permits, lamports::text from done where closes`);

/** A permit of a transaction that may have ended without issuing it. */
export interface CarriedPermit {
  id: Uuid;
  /** Of the Permit account. */
  address: string;
  /** Whether it was shown as issued. */
  issued: boolean;
}

/** The permits of a transaction. `$1` signature. */
export const readCarried = prepared<CarriedPermit>(`
  select p.id, p.tix_permit_id as address, p.issued_at is not null and not w.closes as issued
  from waiting_permit w join permit p on p.id = w.permit_id where w.signature = $1 order by p.id`);

/**
 * Ends a transaction that did not land, or only with an error, and gives back what it was expected to cost.
 * `$1` signature, `$2` the end, `$3` reason, `$4` the fee that was paid all the same. No row where it had ended before.
 */
export const markEnded = prepared<{ signature: string }>(`
  with was as (
    select * from issue_transaction where signature = $1 and ${filterOnly(`state in ('open', 'landed')`)} for update
  ), booked as (
    update issue_day d set fees = d.fees - was.fee + $4::bigint, rent = d.rent - was.rent, permits = d.permits - was.permits,
      transactions = d.transactions - 1, lost = d.lost + 1
    from was where d.mode = was.mode and d.day = was.day and d.closes = was.closes
  )
  update issue_transaction i set state = $2, reason = $3, bytes = null, fee = $4::bigint, rent = 0
  from was where i.signature = was.signature returning i.signature`);

/** A transaction to be stored. */
export interface NewIssue {
  readonly signature: string;
  readonly mode: Mode;
  readonly closes: boolean;
  readonly bytes: Uint8Array;
  readonly lastValidHeight: number;
  readonly slot: number;
  readonly permits: readonly Uuid[];
  /** Lamports expected. */
  readonly fee: bigint;
  /** Negative where they come back. */
  readonly rent: bigint;
}

/** The lamports that the payer and the budget must have for a transaction. */
export function priceOf({ fee, rent }: Pick<NewIssue, 'fee' | 'rent'>): bigint {
  return rent > 0n ? fee + rent : fee;
}

/** What the day's budget and the cluster still allow. */
export interface Room {
  readonly day: string;
  readonly dailyBudget: bigint;
  readonly inFlight: number;
}

/** Grows the tokens of a mode's pace with the time since the last call. `$2` now, `$3` per second, `$4` the most. */
export const growTokens = prepared<{ tokens: number }>(`
  update issue_pace set at = greatest(at, $2),
    tokens = least($4, tokens + $3 * greatest(0, least(3600, extract(epoch from $2::timestamptz - at))))
  where mode = $1 returning tokens`);

const lockPace = prepared('update issue_pace set tokens = tokens - $2 where mode = $1');
const readRoom = prepared<{ open: number; booked: string }>(`
  select (select count(*)::int from issue_transaction where mode = $1 and state = 'open') as open,
    (select coalesce(sum(fees + case when closes then 0 else rent + event_cost end), 0)::text
      from issue_day where mode = $1 and day = $2) as booked`);
/** An equal transaction with the same blockhash, refused a moment ago, has the same signature. */
const insertIssue = prepared<{ signature: string }>(`
  insert into issue_transaction (signature, mode, closes, bytes, last_valid_height, slot, permits, day, fee, rent, created_at, sent_at, look_at)
  select signature, mode, closes, bytes, last_valid_height, slot, permits, day, fee, rent, now, now, now
  from jsonb_to_record($1::jsonb) as given(signature text, mode text, closes boolean, bytes text, last_valid_height bigint, slot bigint, permits int,
    day text, fee bigint, rent bigint, now timestamptz)
  on conflict (signature) do update set state = 'open', bytes = excluded.bytes, day = excluded.day, fee = excluded.fee,
    rent = excluded.rent, reason = null, sent_at = excluded.sent_at, look_at = excluded.look_at
  where issue_transaction.state = 'refused'
  returning signature`);
const carry = prepared<{ permit_id: Uuid }>(`
  update waiting_permit set signature = $2 where permit_id = any($1) and signature is null returning permit_id`);
const bookIssue = prepared(`
  insert into issue_day (mode, day, closes, permits, transactions, fees, rent) values ($1, $2, $3, $4, 1, $5, $6)
  on conflict (mode, day, closes) do update set permits = issue_day.permits + excluded.permits,
    transactions = issue_day.transactions + 1, fees = issue_day.fees + excluded.fees, rent = issue_day.rent + excluded.rent`);

/** How much may be sent at the moment. */
export async function readFree(
  client: Parameters<typeof readRoom>[0],
  mode: Mode,
  room: Room,
): Promise<{ transactions: number; lamports: bigint }> {
  const [row] = await readRoom(client, [mode, room.day]);
  return { transactions: room.inFlight - (row?.open ?? 0), lamports: room.dailyBudget - BigInt(row?.booked ?? 0) };
}

/**
 * Stores a transaction, in the caller's database transaction, before it is sent. The lock on the pace makes processes do this one after
 * the other, so that together they keep within the budget and the number in flight.
 * @returns false where there is no room for it, or another process has one of its permits: roll back
 */
export async function writeDown(client: PoolClient, issue: NewIssue, room: Room, now: Date): Promise<boolean> {
  const { mode, closes, permits, fee, rent, signature } = issue;
  await lockPace(client, [mode, permits.length]);
  const free = await readFree(client, mode, room);
  if (free.transactions < 1 || free.lamports < priceOf(issue)) return false;
  const carried = await carry(client, [permits, signature]);
  if (carried.length < permits.length) return false;
  const given = {
    signature,
    mode,
    closes,
    bytes: Buffer.from(issue.bytes).toString('base64'),
    last_valid_height: issue.lastValidHeight,
    slot: issue.slot,
    permits: permits.length,
    day: room.day,
    fee: String(fee),
    rent: String(rent),
    now,
  };
  const inserted = await insertIssue(client, [JSON.stringify(given)]);
  if (inserted.length === 0) return false;
  await bookIssue(client, [mode, room.day, closes, permits.length, String(fee), String(rent)]);
  return true;
}

/** Prices change from slot to slot; a price of a few seconds ago is good enough. */
const known = new LRUCache<string, number>({ max: 16, ttl: 5_000 });

/**
 * The price in micro-lamports per compute unit that our transactions pay: the price at which three of four recent slots accepted writes
 * to the payer's account, which every transaction of ours writes to, up to the configured cap.
 * @throws DomainError `unavailable` where the cluster is unreachable
 */
export async function priorityPrice(
  { priorityCap }: Pick<IssuingConfig, 'priorityCap'>,
  { gateway, payer }: Pick<Chain, 'gateway' | 'payer'>,
): Promise<number> {
  const remembered = known.get(payer);
  if (remembered !== undefined) return remembered;
  const prices = (await gateway.priorityFees([payer])).sort((a, b) => a - b);
  const usual = prices[Math.floor(prices.length * 0.75)] ?? 0;
  const price = Math.min(priorityCap, usual);
  known.set(payer, price);
  return price;
}
