import type { Connection } from '@solana/web3.js';
import { openChains } from '../../adapters/process/open-chains.ts';
import { startHostedNetwork } from '../../packages/localnet/test/hosted-network.ts';
import type { TestNetwork } from '../../packages/localnet/test/test-network.ts';
import type { Chain } from '../../src/chain/chains.ts';
import { Event } from '../../src/entities/event.ts';
import { Fan } from '../../src/entities/fan.ts';
import { Partner } from '../../src/entities/partner.ts';
import { TicketType } from '../../src/entities/ticket.ts';
import { putOnchain } from '../../src/inventory/issuing/issue-turn.ts';
import { createTestEvent } from '../../src/sandbox/create-test-event.ts';
import { grantPermit } from '../../src/sandbox/test-permits.ts';
import { createTestUser } from '../../src/sandbox/test-users.ts';
import { numberOf } from '../../src/sign-in/fan/find-fans.ts';
import { signIn, type Tokens } from './partner.ts';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts';
import { startApp, type TestApp, type TestAppOptions } from './start-app.ts';

/** The service with a local network behind a proxy, the starter kit provisioned on it. */
export interface ChainApp extends TestApp {
  network: TestNetwork;
  connection: Connection;
  proxy: RpcProxy;
  chain: Chain;
  /** The starter kit's test users. */
  users: readonly [User, User];
}

/** A test user of the kit, signed in on demand. */
export interface User {
  id: string;
  phone: string;
  code: string;
  wallet_address: string;
  /** Signs in with every fan action of listings, claims and tickets; once. */
  tokens(): Promise<Tokens>;
}

/** What a partner knows of a ticket. */
export interface TestTicket {
  id: string;
  tixEventId: string;
  tixTicketId: string;
  permit: string;
}

export const CHAIN_SCOPE = 'openid offline_access fan:tickets:read fan:listings:write fan:claims:write';

export interface ChainAppOptions extends TestAppOptions {
  /** Another app: shares its database, network and proxy, as a second process does. */
  beside?: ChainApp;
  /** Another cluster than a local network of its own. */
  network?: TestNetwork;
  /** Runs before the service connects to its cluster. */
  prepare?: (app: TestApp) => Promise<void>;
}

export async function startChainApp(options: ChainAppOptions = {}): Promise<ChainApp> {
  const { beside } = options;
  const network = options.network ?? beside?.network ?? (await startHostedNetwork());
  const proxy = beside?.proxy ?? (await startRpcProxy(network.url));
  const databaseUrl = beside?.config.databaseUrl;
  const app = await startApp({
    ...options,
    ...(databaseUrl !== undefined && { databaseUrl }),
    env: {
      SANDBOX_RPC_URL: proxy.url,
      SANDBOX_PUBLIC_RPC_URL: proxy.url,
      ACCESS_TOKEN_TTL: '3600',
      // the tokens of one process are good in the other
      ...(beside && { AUTH_URL: beside.config.authUrl }),
      ...options.env,
    },
  });
  await options.prepare?.(app);
  const opened = await openChains(app.runtime);
  app.runtime.chains = opened.chains;
  const chain = opened.chains.sandbox;
  if (chain === undefined) throw new Error('the local network can not be reached');
  if (!beside) await putOnchain(app.context(), 'sandbox');
  const [first, second] = app.kit.test_users;
  if (!first || !second) throw new Error('the starter kit has two test users');
  proxy.reset();
  return {
    ...app,
    network,
    connection: network.connection,
    proxy,
    chain,
    users: [userOf(app, first), userOf(app, second)],
    async stop() {
      await opened.close();
      await app.stop();
      if (beside) return;
      await proxy.stop();
      await network.remove();
    },
  };
}

/** One more test user of the kit's partner, without tickets. */
export async function anotherUser(app: ChainApp): Promise<User> {
  const context = app.context();
  const partner = await context.em.findOneOrFail(Partner, { name: 'Front Row' });
  const { fan, testUser, wallet } = await createTestUser(context, partner, 'test');
  await context.em.flush();
  return userOf(app, { id: fan.id, phone: numberOf(fan), code: testUser.code, wallet_address: wallet.address });
}

function userOf(app: TestApp, user: Omit<User, 'tokens'>): User {
  let tokens: Promise<Tokens> | undefined;
  return {
    ...user,
    tokens() {
      tokens ??= signIn(app, { scope: CHAIN_SCOPE, phone: user.phone, code: user.code });
      return tokens;
    },
  };
}

export interface TicketChoice {
  count?: number;
  /** A new event with this end, instead of the kit's first. */
  endsAt?: Date;
  /** Another partner that the permits are for. */
  partner?: Partner;
  /** False leaves the permits to a later call. */
  issue?: boolean;
}

/** Gives a test user more tickets, with permits on the chain. */
export async function moreTickets(app: ChainApp, user: User, choice: TicketChoice = {}): Promise<TestTicket[]> {
  const { count = 1, endsAt, issue = true } = choice;
  const context = app.context();
  const { em } = context;
  const fan = await em.findOneOrFail(Fan, { id: user.id as Fan['id'] });
  const partner = choice.partner ?? (await em.findOneOrFail(Partner, { name: 'Front Row' }));
  const [ticketType] =
    endsAt === undefined
      ? await em.find(TicketType, {}, { populate: ['event'], orderBy: { id: 'asc' }, limit: 1 })
      : createTestEvent(
          context,
          {
            name: 'Soon over',
            venue: null,
            startsAt: new Date(endsAt.getTime() - 3_600_000),
            endsAt,
            ticketTypes: ['Standing'],
          },
          'test',
        ).ticketTypes;
  if (!ticketType) throw new Error('there is no ticket type');
  const granted = Array.from({ length: count }, () => grantPermit(context, { fan, partner, ticketType }, 'test'));
  await em.flush();
  if (issue) await putOnchain(context, 'sandbox');
  const event = await em.findOneOrFail(Event, { id: ticketType.event.id });
  return granted.map(({ ticket, permit }) => ({
    id: ticket.id,
    tixEventId: event.tixEventId,
    tixTicketId: ticket.tixTicketId,
    permit: permit.tixPermitId,
  }));
}

/** As `moreTickets`, for one. */
export async function oneTicket(app: ChainApp, user: User, choice: TicketChoice = {}): Promise<TestTicket> {
  const [ticket] = await moreTickets(app, user, choice);
  if (!ticket) throw new Error('there is no ticket');
  return ticket;
}

/** Rows of a query on the app's database. */
export async function rows<Row extends object>(app: TestApp, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await app.runtime.pool.query<Row & Record<string, unknown>>(text, values)).rows;
}
