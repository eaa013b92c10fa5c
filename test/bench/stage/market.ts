import { Keypair, type TransactionInstruction } from '@solana/web3.js';
import { type Chain, chainOf } from '../../../src/chain/chains.ts';
import { encodeInstruction } from '../../../src/chain/instruction/instructions.ts';
import { Client } from '../../../src/entities/client.ts';
import { Fan } from '../../../src/entities/fan.ts';
import { issueTokens } from '../../../src/oauth/token/issue-tokens.ts';
import { knownId } from '../../../src/platform/identifier/known-id.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { createTestEvent } from '../../../src/sandbox/create-test-event.ts';
import { grantPermit } from '../../../src/sandbox/grant-permits.ts';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import { onchainEventId, onchainTicketId } from '../../../src/tickets/ticket/onchain-ids.ts';
import { createGrant } from './create-grant.ts';
import { inBatches, submit, transactionOf } from './transactions.ts';

/** What the benches of listings and claims trade with: two fans, many permits of the first, a marketplace with funds. */
export interface Market {
  context: ServiceContext;
  chain: Chain;
  /** Pays the fees, and sells what is listed. */
  marketplace: Keypair;
  /** The first holds the permits of the next claims. */
  fans: readonly [Trader, Trader];
  /** Addresses of permits that stand on the chain and in the database. */
  permits: { claims: string[]; listings: string[] };
  /** Holds the permits of listings, always. */
  lister: Trader;
}

export interface Trader {
  /** A new access token for listings and claims: one lives for an hour at most. */
  token(): Promise<string>;
  /** Base58. */
  wallet: string;
}

const ACTIONS = ['fan:tickets:read', 'fan:listings:write', 'fan:claims:write'];
const ACTOR = 'system';
const FUNDS_LAMPORTS = 100_000_000_000;
const DAY_MS = 86_400_000;
/** As many as a stretch of claims moves. */
const FOR_CLAIMS = 640;
/** So many different ones that listings side by side seldom want the same. */
const FOR_LISTINGS = 256;

/** Opens a market beside the server that runs on the same database and network. */
export async function openMarket(context: ServiceContext, kit: StarterKit): Promise<Market> {
  const chain = chainOf(context.chains, 'sandbox');
  const marketplace = Keypair.generate();
  await chain.gateway.airdrop(marketplace.publicKey.toBase58(), FUNDS_LAMPORTS);
  const [first, second] = kit.test_users;
  if (!first || !second) throw new Error('the starter kit has no two test users');
  const fans = [await openTrader(context, kit, first), await openTrader(context, kit, second)] as const;
  const issued = await issuePermits(context, chain, kit);
  const permits = { claims: issued.slice(0, FOR_CLAIMS), listings: issued.slice(FOR_CLAIMS) };
  return { context, chain, marketplace, fans, lister: fans[0], permits };
}

/** A grant of a test user, and tokens of it. */
async function openTrader(
  context: ServiceContext,
  kit: StarterKit,
  fan: StarterKit['test_users'][number],
): Promise<Trader> {
  const grant = createGrant(context, kit, fan.id, ACTIONS.join(' '), ACTIONS);
  await context.em.flush();
  const { id: grantId, mode: grantMode } = grant;
  const of = { userId: fan.id, clientId: kit.client_id, mode: 'sandbox', grantId, grantMode, scopes: ACTIONS } as const;
  const rest = { grantedActions: ACTIONS, authTime: 0, amr: undefined, nonce: null, refreshToken: null };
  return {
    wallet: fan.wallet_address,
    token: async () => (await issueTokens(context, { ...of, ...rest, issuedAt: context.now() })).access_token,
  };
}

/** On the chain first: what waits in the database for it, a job of the server would issue too. */
async function issuePermits(context: ServiceContext, chain: Chain, kit: StarterKit): Promise<string[]> {
  const { em, now, signer } = context;
  const client = await em.findOneOrFail(Client, { id: kit.client_id }, { populate: ['partner'] });
  const fan = await em.findOneOrFail(Fan, { id: knownId('usr', kit.test_users[0]?.id ?? '') });
  const startsAt = new Date(now().getTime() + DAY_MS);
  const plan = {
    name: 'Bench',
    venue: null,
    startsAt,
    endsAt: new Date(startsAt.getTime() + DAY_MS),
    ticketTypes: ['x'],
  };
  const { event, ticketTypes } = createTestEvent(context, plan, ACTOR);
  const [ticketType] = ticketTypes;
  if (!ticketType) throw new Error('the test event has no ticket type');
  const granted = Array.from({ length: FOR_CLAIMS + FOR_LISTINGS }, () =>
    grantPermit(context, { fan, partner: client.partner, ticketType }, ACTOR),
  );
  const { programId, authority, payer } = chain;
  const owner = kit.test_users[0]?.wallet_address ?? '';
  const ofEvent = { event: event.tixEventId, authority, payer };
  const register = encodeInstruction(
    programId,
    'register_event_v1',
    { ...ofEvent, organiser: authority },
    { event_id: onchainEventId(event.id) },
  );
  const sign = (instruction: TransactionInstruction, blockhash: string) =>
    transactionOf([instruction], blockhash, [payer, authority], (address, message) => signer.sign(address, message));
  await submit(chain, await sign(register, await chain.gateway.latestBlockhash()));
  const blockhash = await chain.gateway.latestBlockhash();
  await inBatches(granted, async ({ ticket, permit }) => {
    const accounts = { ...ofEvent, permit: permit.tixPermitId };
    const issue = encodeInstruction(programId, 'issue_permit_v1', accounts, {
      ticket_id: onchainTicketId(ticket.id),
      owner,
    });
    await submit(chain, await sign(issue, blockhash));
  });
  event.registeredAt = now();
  for (const { permit } of granted) permit.issuedAt = now();
  await em.flush();
  return granted.map(({ permit }) => permit.tixPermitId);
}
