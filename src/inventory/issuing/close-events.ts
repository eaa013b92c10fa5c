import { accountDataLength } from '@fan-api/cosign-policy/read-account';
import { isUnreadable } from '../../chain/gateway/read-accounts.ts';
import { encodeInstruction } from '../../chain/instruction/instructions.ts';
import { feeOf } from '../../chain/instruction/permit-batches.ts';
import { readStanding } from '../../chain/payer.ts';
import { signOwnTransaction } from '../../chain/wallet/own-transaction.ts';
import type { Event } from '../../entities/event.ts';
import type { IssuingConfig } from '../../platform/config/config.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { inTransaction, prepared } from '../../platform/database/prepared.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { after, DAY } from '../../platform/time.ts';
import { recordAudits } from '../../record/audit/record-audit.ts';
import { ticketsOfEvent } from '../../tickets/ticket/tickets-of-event.ts';
import type { IssueRun } from './issue-run.ts';
import { readFree } from './issue-transactions.ts';
import { roomOf } from './send-waiting.ts';
import { IS_UNNEEDED } from './waiting-permits.ts';
import { countClosed } from './watch-issuing.ts';

interface DueEvent {
  id: Uuid;
  /** Of the Event account. */
  address: string;
  /** Whether its end has been moved to a later time. */
  isPutOff: boolean;
}

const AT_ONCE = 8;
/** Seconds until the next look: by then a close that landed is final. */
const LOOK_SECONDS = 20;
const REFUSED_PAUSE_SECONDS = 300;
/** After it, a transaction that closes an event has landed, finally, or never does. */
const MAY_LAND_SECONDS = 180;
/** The clock of a cluster may be behind ours. */
const CLOCK_SECONDS = 60;
/** An event that was registered elsewhere may name any time. */
const LONGEST_PAUSE_SECONDS = 30 * DAY;

/**
 * Takes events whose turn has come, so that no other process takes them for a while: those that ended, and those that were put off since a
 * transaction that closes them was sent. `$1` mode, `$2` now, `$3` they ended by then.
 */
const takeDue = prepared<DueEvent>(`
  with due as (
    select id from event where closed_at is null and id in (
      (select id from event where mode = $1 and closed_at is null and registered_at is not null and ends_at <= $3
         and (close_at is null or close_at <= $2) order by ends_at limit ${AT_ONCE})
      union all
      (select id from event where mode = $1 and closed_at is null and close_sent_at is not null and ends_at > $3
         and close_at <= $2 order by id limit ${AT_ONCE}))
    for update skip locked
  )
  update event e set close_at = $2::timestamptz + interval '${LOOK_SECONDS} seconds' from due where e.id = due.id
  returning e.id, e.tix_event_id as address, e.ends_at > $3 as "isPutOff"`);

/** Before a transaction that closes an event is sent, where it has not been put off. `$1` id, `$2` now, `$3` it ended by then. */
const markSent = prepared<{ id: Uuid }>(
  'update event set close_sent_at = $2 where id = $1 and closed_at is null and ends_at <= $3 returning id',
);

/** An event that was put off stays open where no transaction sent by `$2` has closed it: none of them can land any more. */
const keepOpen = prepared(
  `update event set close_at = null, close_sent_at = null
   where id = $1 and ${filterOnly('closed_at is null')} and close_sent_at <= $2`,
);

const lookLater = prepared('update event set close_at = $2 where id = $1 and closed_at is null');

/**
 * Marks an event as closed, also one that was put off meanwhile: its account is gone, whatever its dates say. One of which a transaction
 * issues permits waits until that is final. `$1` id, `$2` now, `$3` lamports that came back, `$4` day, `$5` fee.
 */
const markClosed = prepared<{ id: Uuid }>(`
  with closed as (
    update event e set closed_at = $2, close_at = null, returned = $3
    where e.id = $1 and e.closed_at is null and not exists (
      select from waiting_permit w join permit p on p.id = w.permit_id join ticket t on t.id = p.ticket_id
        join ticket_type tt on tt.id = t.ticket_type_id
      where w.signature is not null and tt.event_id = e.id)
    returning e.id, e.mode
  ), booked as (
    insert into issue_day (mode, day, closes, events, fees, event_cost)
    select mode, $4, true, 1, $5::bigint, -$3::bigint from closed
    on conflict (mode, day, closes) do update set events = issue_day.events + 1,
      fees = issue_day.fees + excluded.fees, event_cost = issue_day.event_cost + excluded.event_cost
  )
  select id from closed`);

/**
 * Puts the permits of tickets into the queue of those to close. One that was never needed has no account: it is closed here. `$1` ids of
 * tickets, `$2` mode, `$3` now.
 */
const queueClosing = prepared(`
  with unneeded as (
    delete from waiting_permit w using permit p where p.ticket_id = any($1) and w.permit_id = p.id and ${IS_UNNEEDED} returning p.id
  ), closed as (
    update permit p set closed_at = $3 from unneeded where p.id = unneeded.id
  )
  insert into waiting_permit (permit_id, mode, closes, since, retry_at)
  select id, $2, true, $3, $3 from permit where ticket_id = any($1) and closed_at is null and id not in (select id from unneeded)
  on conflict (permit_id) do update set closes = true, since = excluded.since, retry_at = excluded.retry_at, tries = 0,
    together = null, reason = null
  where waiting_permit.signature is null`);

/**
 * Closes events that ended long enough ago, and queues their permits. The account decides: an event counts as closed once its account
 * is a mark at `finalized`, so nothing needs to be recorded before it is sent, and a close that a fork drops is sent again.
 * @returns whether any changed
 * @throws DomainError `unavailable` where the cluster does not answer; the events are looked at again
 */
export async function closeEvents(run: IssueRun): Promise<boolean> {
  const { context, mode, chain } = run;
  const { pool, now, config } = context;
  const { closeAfter } = config.issuing;
  // 0 closes no more events, but one whose closing was sent before may be closed
  const ended = closeAfter === 0 ? new Date(0) : after(now(), -closeAfter);
  const due = await takeDue(pool, [mode, now(), ended]);
  if (due.length === 0) return false;
  const addresses = due.map(({ address }) => address);
  const [marks, readings] = await Promise.all([
    chain.gateway.finalAccounts('ClosedEvent', addresses),
    chain.gateway.events(addresses),
  ]);
  const closable: DueEvent[] = [];
  let changed = false;
  for (const [index, event] of due.entries()) {
    const [mark, reading] = [marks[index], readings[index]];
    if (mark !== undefined && !isUnreadable(mark)) {
      const isDone = await finish(run, event).catch((error: unknown) => refuse(run, event, String(error)));
      changed = isDone === true || changed;
    } else if (reading === undefined) await refuse(run, event, 'it is not on the chain');
    else if (isUnreadable(reading)) await refuse(run, event, reading.reason);
    else if (event.isPutOff) await keepOpen(pool, [event.id, after(now(), -MAY_LAND_SECONDS)]);
    else {
      const wait = Number(reading.closable_from) + CLOCK_SECONDS - now().getTime() / 1_000;
      if (wait <= 0) closable.push(event);
      else await lookLater(pool, [event.id, after(now(), Math.min(wait, LONGEST_PAUSE_SECONDS))]);
    }
  }
  if (closable.length === 0) return changed;
  const { fault, spendable, receives } = await readStanding(chain);
  const free = await readFree(pool, mode, roomOf(run));
  const cost = feeOf(0, 0) * BigInt(closable.length);
  if (fault === undefined && receives && spendable >= cost && free.lamports >= cost) {
    const { blockhash, slot } = await chain.gateway.freshBlockhash();
    await Promise.all(closable.map((event) => send(run, event, { blockhash, slot, ended })));
  }
  return true;
}

/** When the accounts of an event can be closed at the earliest; null where they are closed already, or nothing closes them. */
export function closesAt(
  { endsAt, registeredAt, closedAt, closeAt }: Pick<Event, 'endsAt' | 'registeredAt' | 'closedAt' | 'closeAt'>,
  { closeAfter }: Pick<IssuingConfig, 'closeAfter'>,
): Date | null {
  if (registeredAt == null || closedAt != null || closeAfter === 0) return null;
  const due = after(endsAt, closeAfter);
  return closeAt != null && closeAt > due ? closeAt : due;
}

async function send(
  run: IssueRun,
  event: DueEvent,
  { blockhash, slot, ended }: { blockhash: string; slot: number; ended: Date },
): Promise<void> {
  const { context, chain } = run;
  const { programId, authority, payer, gateway } = chain;
  const accounts = { event: event.address, authority, receiver: payer };
  const instructions = [encodeInstruction(programId, 'close_event_v1', accounts, {})];
  const { bytes } = await signOwnTransaction(chain, context.signer, { instructions, blockhash, signers: [authority] });
  const [marked] = await markSent(context.pool, [event.id, context.now(), ended]);
  if (!marked) return;
  const submission = await gateway.submit(bytes, slot);
  if (submission.outcome === 'refused') await refuse(run, event, submission.reason);
}

/** Marks an event as closed, once its account is, and queues its permits. @returns whether it did */
async function finish({ context, chain, mode }: IssueRun, { id }: DueEvent): Promise<boolean> {
  const { pool, now, requestId } = context;
  const rentOf = (kind: 'Event' | 'ClosedEvent') => chain.gateway.rentExemption(accountDataLength(kind));
  const returned = (await rentOf('Event')) - (await rentOf('ClosedEvent'));
  const day = now().toISOString().slice(0, 10);
  const isDone = await inTransaction(pool, async (client) => {
    const closed = await markClosed(client, [id, now(), String(returned), day, String(feeOf(0, 0))]);
    if (closed.length === 0) return false;
    for await (const tickets of ticketsOfEvent(client, id)) {
      await queueClosing(client, [tickets.map((ticket) => ticket.id), mode, now()]);
    }
    const entry = { action: 'event.closed', subject: idOf('evt', id) } as const;
    await recordAudits(client, [entry], { actor: 'system', requestId, now: now() });
    return true;
  });
  if (isDone) countClosed(mode, 0, returned);
  return isDone;
}

/** A refusal concerns this event; it is tried again, and logged once by each process. */
async function refuse({ context, mode, setbacks }: IssueRun, { id, address }: DueEvent, reason: string): Promise<void> {
  await lookLater(context.pool, [id, after(context.now(), REFUSED_PAUSE_SECONDS)]);
  if (setbacks.has(id)) return;
  setbacks.set(id, { tries: 1, retryAt: 0 });
  context.log.warn({ mode, event: address, reason }, 'an event could not be closed onchain; it is tried again');
}
