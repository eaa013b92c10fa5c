import type { InstructionName } from '@fan-api/ticket-program/description';
import type { PaymentPurpose } from '../entities/payment.ts';
import type { Context } from '../platform/context.ts';
import { inTransaction, prepared } from '../platform/database/prepared.ts';
import type { Mode } from '../platform/mode.ts';
import { after } from '../platform/time.ts';
import { type Chain, chainOf, type WithChains } from './chains.ts';
import type { Payment } from './gateway/read-payment.ts';

/** Seconds in which one process looks. */
const LOOK_SECONDS = 10;
/** Transactions that are booked together, and calls at once. */
const AT_ONCE = 25;

/** A process takes the turn of a payer. `$1` mode, `$2` payer, `$3` now, `$4` the next turn. */
const takeTurn = prepared<{ signature: string | null; slot: number }>(`
  insert into payment_cursor as c (mode, payer, look_at) values ($1, $2, $4)
  on conflict (mode, payer) do update set look_at = excluded.look_at where c.look_at <= $3
  returning c.signature, c.slot::float8 as slot`);

/** Nothing where another process has booked since. `$3` the signature that it starts from. */
const moveCursor = prepared<{ mode: Mode }>(`
  update payment_cursor set signature = $4, slot = $5
  where mode = $1 and payer = $2 and signature is not distinct from $3 returning mode`);

const book = prepared(`
  insert into payment_day as d (mode, day, purpose, transactions, fees, rest)
  select $1, g.day, g.purpose, count(*), sum(g.fee), sum(g.rest)
  from jsonb_to_recordset($2::jsonb) as g(day text, purpose text, fee bigint, rest bigint) group by g.day, g.purpose
  on conflict (mode, day, purpose) do update set transactions = d.transactions + excluded.transactions,
    fees = d.fees + excluded.fees, rest = d.rest + excluded.rest`);

/**
 * Books what a mode's payer has paid since the last call, by day and purpose, from its own transactions at `finalized`, whichever process
 * sent them. Each transaction is booked once. Left out is a transaction that the node no longer gives. The first call begins with the
 * newest thousand.
 * @returns how many were booked
 * @throws DomainError `unavailable` where the cluster cannot be reached; the next call goes on where this one stopped
 */
export async function bookPayments(
  { pool, now, chains }: Pick<Context, 'pool' | 'now'> & WithChains,
  mode: Mode,
): Promise<number> {
  const chain = chainOf(chains, mode);
  const { payer, gateway } = chain;
  const [turn] = await takeTurn(pool, [mode, payer, now(), after(now(), LOOK_SECONDS)]);
  if (!turn) return 0;
  let { signature: last } = turn;
  const { transactions } = await gateway.paymentSignatures(
    payer,
    last === null ? null : { signature: last, slot: turn.slot },
  );
  let booked = 0;
  for (let at = 0; at < transactions.length; at += AT_ONCE) {
    const some = transactions.slice(at, at + AT_ONCE);
    const rows = (await Promise.all(some.map(({ signature }) => bookingOf(chain, signature, now())))).flat();
    const newest = some.at(-1);
    if (!newest) break;
    const moved = await inTransaction(pool, async (client) => {
      const [row] = await moveCursor(client, [mode, payer, last, newest.signature, newest.slot]);
      if (row) await book(client, [mode, JSON.stringify(rows)]);
      return row !== undefined;
    });
    if (!moved) break;
    last = newest.signature;
    booked += some.length;
  }
  return booked;
}

interface Booking {
  day: string;
  purpose: PaymentPurpose;
  /** Lamports. */
  fee: string;
  rest: string;
}

/** None for a transaction that the node can't give. */
async function bookingOf({ gateway, payer }: Chain, signature: string, now: Date): Promise<Booking[]> {
  const payment = await gateway.paymentOf(payer, signature);
  if (!payment) return [];
  const { at, fee, paid } = payment;
  const day = (at ?? now).toISOString().slice(0, 10);
  return [{ day, purpose: purposeOf(payment), fee: String(fee), rest: String(paid - fee) }];
}

/** The first that is in a transaction says what it is for: a transfer may close a listing with it. */
const PURPOSES: readonly (readonly [InstructionName, PaymentPurpose])[] = [
  ['register_event_v1', 'register_events'],
  ['issue_permit_v1', 'issue_permits'],
  ['close_event_v1', 'close_events'],
  ['close_permit_v1', 'close_permits'],
  ['transfer_permit_v1', 'move_permits'],
  ['cancel_listing_v1', 'close_listings'],
  ['initialize_v1', 'set_up'],
  ['rotate_authority_v1', 'set_up'],
  ['retire_authority_v1', 'set_up'],
  ['rotate_admin_v1', 'set_up'],
  ['rotate_payer_v1', 'set_up'],
];

function purposeOf({ instructions, fee, paid }: Payment): PaymentPurpose {
  const found = PURPOSES.find(([name]) => instructions.includes(name));
  if (found) return found[1];
  return fee === 0n && paid < 0n ? 'deposit' : 'other';
}
