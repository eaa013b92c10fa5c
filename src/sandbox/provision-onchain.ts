import { type Chain, chainOf, type WithChains } from '../chain/chains.ts';
import { encodeInstruction } from '../chain/instruction/encode-instruction.ts';
import type { Context } from '../context.ts';
import { Event } from '../entities/event.ts';
import { Permit } from '../entities/permit.ts';
import { Wallet } from '../entities/wallet.ts';
import { runOwnTransaction } from '../wallet/own-transaction.ts';
import type { WithSigner } from '../wallet/signer.ts';
import { onchainEventId, onchainTicketId } from './onchain-ids.ts';

/**
 * Brings test events and permits that exist here onto the chain: registers events, issues permits to their owners'
 * wallets. What stands on the chain already is only marked, so it can be interrupted and repeated at any point.
 */
type ProvisionContext = Pick<Context, 'em' | 'now'> & WithChains & WithSigner;

const BATCH = 50;

/** Provisions all that waits. @throws DomainError `unavailable` where the cluster does not play along; the rest waits */
export async function provisionOnchain(context: ProvisionContext): Promise<void> {
  const chain = chainOf(context.chains, 'sandbox');
  while ((await registerEvents(context, chain)) + (await issuePermits(context, chain)) > 0);
}

async function registerEvents({ em, now, signer }: ProvisionContext, chain: Chain): Promise<number> {
  const waiting = await em.find(
    Event,
    { mode: 'sandbox', registeredAt: null },
    { orderBy: { id: 'asc' }, limit: BATCH },
  );
  const present = await chain.gateway.eventsExist(waiting.map((event) => event.tixEventId));
  for (const [index, event] of waiting.entries()) {
    if (!present[index]) {
      const { authority, payer, programId } = chain;
      const accounts = { event: event.tixEventId, authority, organiser: authority, payer };
      const args = { event_id: onchainEventId(event.id) };
      const register = encodeInstruction(programId, 'register_event_v1', accounts, args);
      await runOwnTransaction(chain, signer, [register], [authority]);
    }
    event.registeredAt = now();
    await em.flush();
  }
  return waiting.length;
}

async function issuePermits({ em, now, signer }: ProvisionContext, chain: Chain): Promise<number> {
  const waiting = await em.find(
    Permit,
    {
      issuedAt: null,
      revokedAt: null,
      ticket: { owner: { $ne: null }, ticketType: { event: { mode: 'sandbox', registeredAt: { $ne: null } } } },
    },
    { populate: ['ticket.ticketType.event'], orderBy: { id: 'asc' }, limit: BATCH },
  );
  const present = await chain.gateway.permits(waiting.map((permit) => permit.tixPermitId));
  for (const [index, permit] of waiting.entries()) {
    if (!present[index]) {
      const { ticket } = permit;
      const { address: owner } = await em.findOneOrFail(Wallet, { fan: ticket.owner });
      const { authority, payer, programId } = chain;
      const accounts = { event: ticket.ticketType.event.tixEventId, permit: permit.tixPermitId, authority, payer };
      const args = { ticket_id: onchainTicketId(ticket.id), owner };
      const issue = encodeInstruction(programId, 'issue_permit_v1', accounts, args);
      await runOwnTransaction(chain, signer, [issue], [authority]);
    }
    permit.issuedAt = now();
    await em.flush();
  }
  return waiting.length;
}
