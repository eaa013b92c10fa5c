import { type Chain, chainOf, type WithChains } from '../chain/chains.ts';
import { type AccountReading, isUnreadable } from '../chain/gateway/read-accounts.ts';
import { encodeInstruction } from '../chain/instruction/instructions.ts';
import { authorityFaultOf } from '../chain/require-authority.ts';
import { ChainError } from '../chain-error.ts';
import type { Context } from '../context.ts';
import { Event } from '../entities/event.ts';
import { Permit } from '../entities/permit.ts';
import { Wallet } from '../entities/wallet.ts';
import { DomainError } from '../errors.ts';
import type { Id, IdPrefix } from '../identifier/type-id.ts';
import { createContext, type Runtime } from '../runtime.ts';
import { onchainEventId, onchainTicketId } from '../ticket/onchain-ids.ts';
import { runOwnTransaction } from '../wallet/own-transaction.ts';
import type { WithSigner } from '../wallet/signer.ts';

type ProvisionContext = Pick<Context, 'em' | 'now' | 'log'> & WithChains & WithSigner;

/** An event or permit that this run could not create on the chain. */
interface Failure<Prefix extends IdPrefix> {
  id: Id<Prefix>;
  reason: string;
}

const BATCH = 50;
const LOGGED_REASONS = 5;

/**
 * Registers test events onchain and issues test permits to their owners' wallets. Accounts that exist already are only marked, so
 * a run can be interrupted and repeated. An event or permit that the cluster refuses is left for the next run.
 * @throws DomainError `unavailable` where the cluster does not answer; the rest is left for the next run
 */
export async function provisionOnchain(context: ProvisionContext): Promise<void> {
  const chain = chainOf(context.chains, 'sandbox');
  const { authority } = chain;
  const events: Failure<'evt'>[] = [];
  const permits: Failure<'perm'>[] = [];
  while ((await registerEvents(context, chain, events)) + (await issuePermits(context, chain, permits)) > 0);
  const failures = [...events, ...permits];
  if (failures.length === 0) return;
  // the reason may be that our authority was rotated meanwhile: then this takes over the new one
  await authorityFaultOf(chain, await chain.gateway.config());
  if (chain.authority !== authority) return provisionOnchain(context);
  const first = failures.slice(0, LOGGED_REASONS);
  context.log.warn({ count: failures.length, first }, 'events or permits could not be created onchain');
}

async function registerEvents(context: ProvisionContext, chain: Chain, failures: Failure<'evt'>[]): Promise<number> {
  const waiting = await context.em.find(
    Event,
    { mode: 'sandbox', registeredAt: null, id: { $nin: failures.map(({ id }) => id) } },
    { orderBy: { id: 'asc' }, limit: BATCH },
  );
  const readings = await chain.gateway.events(waiting.map((event) => event.tixEventId));
  for (const [index, event] of waiting.entries()) {
    await attempt(event.id, failures, async () => {
      if (!exists(readings[index])) await register(context, chain, event);
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
      id: { $nin: failures.map(({ id }) => id) },
      issuedAt: null,
      revokedAt: null,
      ticket: { owner: { $ne: null }, ticketType: { event: { mode: 'sandbox', registeredAt: { $ne: null } } } },
    },
    { populate: ['ticket.ticketType.event'], orderBy: { id: 'asc' }, limit: BATCH },
  );
  const readings = await chain.gateway.permits(waiting.map((permit) => permit.tixPermitId));
  for (const [index, permit] of waiting.entries()) {
    await attempt(permit.id, failures, async () => {
      if (!exists(readings[index])) await issue(context, chain, permit);
      permit.issuedAt = context.now();
      await context.em.flush();
    });
  }
  return waiting.length;
}

async function issue({ em, signer }: ProvisionContext, chain: Chain, { ticket, tixPermitId }: Permit): Promise<void> {
  const { authority, payer, programId } = chain;
  const wallet = ticket.owner && (await em.findOne(Wallet, { fan: ticket.owner }));
  if (!wallet) throw new ChainError('bad_address', { detail: `the holder of ${ticket.id} has no wallet` });
  const accounts = { event: ticket.ticketType.event.tixEventId, permit: tixPermitId, authority, payer };
  const args = { ticket_id: onchainTicketId(ticket.id), owner: wallet.address };
  const instruction = encodeInstruction(programId, 'issue_permit_v1', accounts, args);
  await runOwnTransaction(chain, signer, [instruction], [authority]);
}

/** @throws ChainError for an account of another kind, or malformed data */
function exists(reading: AccountReading<object>): boolean {
  if (isUnreadable(reading)) throw new ChainError('bad_account_data', { detail: reading.reason });
  return reading !== undefined;
}

/** Records a refusal of this event or permit. An error that concerns all, such as an unreachable cluster, ends the run. */
async function attempt<Prefix extends IdPrefix>(
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

/** Runs in progress: one at a time, then one more where it was asked for meanwhile. */
const running = new Map<Runtime['orm'], 'last run' | 'once more'>();

/** Starts provisioning in the background, after something was created. Where it fails, the job that runs every minute retries. */
export function provisionSoon(runtime: Runtime): void {
  if (runtime.chains.sandbox === undefined) return;
  const { orm, log } = runtime;
  if (running.has(orm)) {
    running.set(orm, 'once more');
    return;
  }
  running.set(orm, 'last run');
  provisionOnchain(createContext(runtime, null))
    .catch((err: unknown) => log.warn({ err }, 'provisioning waits for the next job'))
    .finally(() => {
      const again = running.get(orm) === 'once more';
      running.delete(orm);
      if (again) provisionSoon(runtime);
    });
}
