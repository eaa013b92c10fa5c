import { type Chain, chainOf, type WithChains } from '../chain/chains.ts';
import { type AccountReading, isUnreadable } from '../chain/gateway/read-accounts.ts';
import { encodeInstruction } from '../chain/instruction/encode-instruction.ts';
import { ChainError } from '../chain-error.ts';
import type { Context } from '../context.ts';
import { Event } from '../entities/event.ts';
import { Permit } from '../entities/permit.ts';
import { Wallet } from '../entities/wallet.ts';
import { DomainError } from '../errors.ts';
import type { Id, IdPrefix } from '../identifier/type-id.ts';
import { runOwnTransaction } from '../wallet/own-transaction.ts';
import type { WithSigner } from '../wallet/signer.ts';
import { onchainEventId, onchainTicketId } from './onchain-ids.ts';

/**
 * Brings test events and permits that exist here onto the chain: registers events, issues permits to their owners'
 * wallets. What stands on the chain already is only marked, so it can be interrupted and repeated at any point.
 */
type ProvisionContext = Pick<Context, 'em' | 'now' | 'log'> & WithChains & WithSigner;

/** An event or permit that this run could not bring onto the chain. */
interface Failure<Prefix extends IdPrefix> {
  id: Id<Prefix>;
  reason: string;
}

const BATCH = 50;
const LOGGED_REASONS = 5;

/**
 * Provisions all that waits. An event or permit that the cluster refuses does not hold up the others: it waits for the next
 * run.
 * @throws DomainError `unavailable` where the cluster does not answer; the rest waits
 */
export async function provisionOnchain(context: ProvisionContext): Promise<void> {
  const chain = chainOf(context.chains, 'sandbox');
  const events: Failure<'evt'>[] = [];
  const permits: Failure<'perm'>[] = [];
  while ((await registerEvents(context, chain, events)) + (await issuePermits(context, chain, permits)) > 0);
  const failures = [...events, ...permits];
  if (failures.length === 0) return;
  const first = failures.slice(0, LOGGED_REASONS);
  context.log.warn({ count: failures.length, first }, 'events or permits could not be brought onto the chain');
}

async function registerEvents(context: ProvisionContext, chain: Chain, failures: Failure<'evt'>[]): Promise<number> {
  const waiting = await context.em.find(
    Event,
    { mode: 'sandbox', registeredAt: null, id: { $nin: idsOf(failures) } },
    { orderBy: { id: 'asc' }, limit: BATCH },
  );
  const readings = await chain.gateway.events(waiting.map((event) => event.tixEventId));
  for (const [index, event] of waiting.entries()) {
    await apart(event.id, failures, async () => {
      if (!isPresent(readings[index])) await register(context, chain, event);
      event.registeredAt = context.now();
      await context.em.flush();
    });
  }
  return waiting.length;
}

async function register({ signer }: ProvisionContext, chain: Chain, event: Event): Promise<void> {
  const { authority, payer, programId } = chain;
  const accounts = { event: event.tixEventId, authority, organiser: authority, payer };
  const args = { event_id: onchainEventId(event.id) };
  const instruction = encodeInstruction(programId, 'register_event_v1', accounts, args);
  await runOwnTransaction(chain, signer, [instruction], [authority]);
}

async function issuePermits(context: ProvisionContext, chain: Chain, failures: Failure<'perm'>[]): Promise<number> {
  const waiting = await context.em.find(
    Permit,
    {
      id: { $nin: idsOf(failures) },
      issuedAt: null,
      revokedAt: null,
      ticket: { owner: { $ne: null }, ticketType: { event: { mode: 'sandbox', registeredAt: { $ne: null } } } },
    },
    { populate: ['ticket.ticketType.event'], orderBy: { id: 'asc' }, limit: BATCH },
  );
  const readings = await chain.gateway.permits(waiting.map((permit) => permit.tixPermitId));
  for (const [index, permit] of waiting.entries()) {
    await apart(permit.id, failures, async () => {
      if (!isPresent(readings[index])) await issue(context, chain, permit);
      permit.issuedAt = context.now();
      await context.em.flush();
    });
  }
  return waiting.length;
}

async function issue({ em, signer }: ProvisionContext, chain: Chain, { ticket, tixPermitId }: Permit): Promise<void> {
  const { authority, payer, programId } = chain;
  const wallet = await em.findOne(Wallet, { fan: ticket.owner });
  if (wallet === null) throw new ChainError('bad_address', { detail: `the holder of ${ticket.id} has no wallet` });
  const accounts = { event: ticket.ticketType.event.tixEventId, permit: tixPermitId, authority, payer };
  const args = { ticket_id: onchainTicketId(ticket.id), owner: wallet.address };
  const instruction = encodeInstruction(programId, 'issue_permit_v1', accounts, args);
  await runOwnTransaction(chain, signer, [instruction], [authority]);
}

/** @throws ChainError where something else stands at the address, or where the node gives it malformed */
function isPresent(reading: AccountReading<object>): boolean {
  if (isUnreadable(reading)) throw new ChainError('bad_account_data', { detail: reading.reason });
  return reading !== undefined;
}

/** Notes what the cluster or a rule refuses for this one. What concerns all, such as a cluster that is away, ends the run. */
async function apart<Prefix extends IdPrefix>(
  id: Id<Prefix>,
  failures: Failure<Prefix>[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const refusal = error instanceof DomainError ? error.cause : error;
    if (!(refusal instanceof ChainError)) throw error;
    failures.push({ id, reason: refusal.message });
  }
}

function idsOf<Prefix extends IdPrefix>(failures: readonly Failure<Prefix>[]): Id<Prefix>[] {
  return failures.map(({ id }) => id);
}
