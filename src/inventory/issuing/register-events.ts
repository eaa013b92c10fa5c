import { raw } from '@mikro-orm/core';
import { isUnreadable } from '../../chain/gateway/read-accounts.ts';
import { encodeInstruction } from '../../chain/instruction/instructions.ts';
import { readStanding } from '../../chain/payer.ts';
import { runOwnTransaction } from '../../chain/wallet/own-transaction.ts';
import { Event } from '../../entities/event.ts';
import { ChainError } from '../../platform/chain-error.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { onchainEventId } from '../../tickets/ticket/onchain-ids.ts';
import type { IssueRun } from './issue-run.ts';

const MOST_EVENTS = 50;
/** SQL: the events of permits that a fan waits for. */
const AWAITED = `select tt.event_id from waiting_permit w join permit p on p.id = w.permit_id join ticket t on t.id = p.ticket_id
  join ticket_type tt on tt.id = t.ticket_type_id where w.retry_at = 'epoch'`;
const AT_ONCE = 8;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 900_000;

const bookEvent = prepared(`
  insert into issue_day (mode, day, events, event_cost) values ($1, $2, 1, $3)
  on conflict (mode, day, closes) do update set events = issue_day.events + 1,
    event_cost = issue_day.event_cost + excluded.event_cost`);

/**
 * Registers events onchain, one per transaction. Accounts that exist already are only marked, so a run can be interrupted, and two
 * processes can run in parallel. An event that the cluster refuses is tried again after growing pauses and does not hold up the others.
 * @returns how many were registered
 * @throws DomainError `unavailable` where the cluster does not answer
 */
export async function registerEvents(run: IssueRun): Promise<number> {
  const { context, mode, chain, setbacks } = run;
  const resting = [...setbacks]
    .filter(([, { retryAt }]) => retryAt > performance.now())
    .map(([id]) => id as Event['id']);
  const em = context.em.fork();
  const waiting = await em.find(
    Event,
    { mode, registeredAt: null, id: { $nin: resting } },
    { orderBy: [{ [raw((alias) => `${alias}.id in (${AWAITED})`)]: 'desc' }, { id: 'asc' }], limit: MOST_EVENTS },
  );
  if (waiting.length === 0) return 0;
  // no event is at fault while the program names another authority; one that we rotated to is taken over
  if ((await readStanding(chain)).fault !== undefined) return 0;
  const readings = await chain.gateway.events(waiting.map((event) => event.tixEventId));
  let registered = 0;
  for (let at = 0; at < waiting.length; at += AT_ONCE) {
    const batch = waiting.slice(at, at + AT_ONCE).map(async (event, index) => {
      const reading = readings[at + index];
      try {
        if (isUnreadable(reading)) throw new ChainError('bad_account_data', { detail: reading.reason });
        if (reading === undefined) await register(run, event);
      } catch (error) {
        return setBack(run, event, error);
      }
      await em.nativeUpdate(Event, { id: event.id }, { registeredAt: context.now() });
      setbacks.delete(event.id);
      registered += 1;
    });
    const outcomes = await Promise.allSettled(batch);
    const broken = outcomes.find((outcome) => outcome.status === 'rejected');
    if (broken) throw broken.reason;
  }
  return registered;
}

async function register({ context, chain, mode }: IssueRun, event: Event): Promise<void> {
  const { authority, payer, programId, gateway } = chain;
  const accounts = { event: event.tixEventId, authority, organiser: authority, payer };
  // an event that is over already may still get its tickets
  const ends = Math.max(event.endsAt.getTime(), context.now().getTime());
  const closableFrom = BigInt(Math.ceil(ends / 1_000) + context.config.issuing.closableAfter);
  const args = { event_id: onchainEventId(event.id), closable_from: closableFrom };
  const instruction = encodeInstruction(programId, 'register_event_v1', accounts, args);
  const signature = await runOwnTransaction(chain, context.signer, [instruction], [authority]);
  const cost = await gateway.costOf(signature);
  const day = context.now().toISOString().slice(0, 10);
  await bookEvent(context.pool, [mode, day, String((cost?.fee ?? 0n) + (cost?.rent ?? 0n))]);
}

/** A refusal concerns this event; any other error, such as an unreachable cluster, concerns all. */
function setBack({ context, mode, setbacks }: IssueRun, event: Event, error: unknown): void {
  const refusal = error instanceof DomainError ? error.cause : error;
  if (!(refusal instanceof ChainError)) throw error;
  const tries = (setbacks.get(event.id)?.tries ?? 0) + 1;
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 10));
  setbacks.set(event.id, { tries, retryAt: performance.now() + pause });
  if (tries > 1) return;
  const facts = { mode, event: event.id, reason: refusal.message };
  context.log.warn(facts, 'an event could not be registered onchain; it is tried again after growing pauses');
}
