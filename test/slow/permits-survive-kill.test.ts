import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { Connection, Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChains } from '../../adapters/process/open-chains.ts';
import { type OpenRuntime, openRuntime } from '../../adapters/process/runtime.ts';
import { chainOf } from '../../src/chain/chains.ts';
import { createGateway } from '../../src/chain/gateway/gateway.ts';
import { requireReadable } from '../../src/chain/gateway/read-accounts.ts';
import { encodeInstruction } from '../../src/chain/instruction/instructions.ts';
import { runOwnTransaction } from '../../src/chain/wallet/own-transaction.ts';
import { ConsentGrant } from '../../src/entities/consent-grant.ts';
import type { Event } from '../../src/entities/event.ts';
import { ListingSignature } from '../../src/entities/listing.ts';
import { Partner } from '../../src/entities/partner.ts';
import { TicketType } from '../../src/entities/ticket.ts';
import { orderMove } from '../../src/inventory/custody-move/order-move.ts';
import { revokeGrant } from '../../src/oauth/grant/revoke-grant.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../../src/platform/identifier/type-id.ts';
import { createContext } from '../../src/runtime.ts';
import { createTestEvent } from '../../src/sandbox/create-test-event.ts';
import { grantPermits } from '../../src/sandbox/test-permits.ts';
import { onchainEventId } from '../../src/tickets/ticket/onchain-ids.ts';
import { type ServiceApart, startServiceApart } from '../support/service-apart.ts';
import { signaturesOf, transfersOf } from '../support/signatures-of.ts';

/**
 * Permits are issued, moved and closed by a server that is killed at random moments (D-182, D-187): each once, none lost, and the books
 * agree.
 */
const KILLS = Number(process.env.KILLS ?? 25);
/** What a killed process had taken waits for its lease, two minutes for a move; what it had sent, for its blockhash. */
const SETTLED_WITHIN_MS = 600_000;
const GRANTED_AT_ONCE = 20;
const GRANT_PAUSE_MS = 500;
/** More than kills take: those that a killed process had taken stand still for two minutes. */
const MOVED_PERMITS = 300;
const ACCOUNTS_AT_ONCE = 100;
/** One ends after the other. */
const ENDED_EVENTS = 3 * KILLS;
const PERMITS_OF_EVENT = 20;
/** Below the cluster's hundred accounts of a call. */
const SALES = 90;

let service: ServiceApart;
/** Another process over the same database: it orders, and never asks the network. */
let ordering: OpenRuntime;
let connection: Connection;
const context = () => createContext(ordering.runtime, null);
beforeAll(async () => {
  // so that there are moments between sent, confirmed and final
  service = await startServiceApart({
    delays: { confirmedAfter: 1, finalizedAfter: 8 },
    env: { EVENT_CLOSE_AFTER: '1' },
  });
  ordering = await openRuntime({ ...readConfig(service.env), logLevel: 'silent' }, { share: true });
  connection = new Connection(service.rpcUrl, 'confirmed');
});
afterAll(async () => {
  await ordering?.close();
  await service?.stop();
});

async function rows<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await ordering.runtime.pool.query<Row & Record<string, unknown>>(text, values)).rows;
}

async function count(from: string): Promise<number> {
  const [row] = await rows<{ count: number }>(`select count(*)::int as count from ${from}`);
  return row?.count ?? Number.NaN;
}

/** Waits until a count is 0. @returns after how many seconds, however many are left */
async function untilNone(from: string): Promise<number> {
  const began = performance.now();
  while ((await count(from)) > 0 && performance.now() - began < SETTLED_WITHIN_MS) await sleep(1_000);
  return Math.round((performance.now() - began) / 1000);
}

/** Does `work` over and over while the server is killed. @returns what the kills left of `left`, in sum */
async function killDuring(work: () => Promise<unknown>, pauseMs: number, left: string): Promise<number> {
  const stop = new AbortController();
  const working = (async () => {
    while (!stop.signal.aborted) {
      await work();
      await sleep(pauseMs);
    }
  })();
  // it is awaited at the end, and may fail before
  working.catch(() => undefined);
  let sum = 0;
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(randomInt(300, 2_500));
      await service.process.kill('SIGKILL');
      sum += await count(left);
      await service.start();
    }
  } finally {
    stop.abort();
    await working;
  }
  return sum;
}

interface PermitRow {
  id: Uuid;
  permit: string;
  owner: string;
  owner_id: Uuid;
  issued: boolean;
}
const readPermits = () =>
  rows<PermitRow>(`
    select p.id, p.tix_permit_id as permit, w.address as owner, t.owner_id, p.issued_at is not null as issued
    from permit p join ticket t on t.id = p.ticket_id left join wallet w on w.fan_id = t.owner_id order by p.id`);

/** The owners that the chain names, in the order of the permits. */
async function ownersOf(permits: readonly PermitRow[]): Promise<(string | undefined)[]> {
  const gateway = createGateway({ rpcUrl: service.rpcUrl, programId: LOCAL_PROGRAM_ID });
  const owners: (string | undefined)[] = [];
  for (let at = 0; at < permits.length; at += ACCOUNTS_AT_ONCE) {
    const accounts = await gateway.permits(permits.slice(at, at + ACCOUNTS_AT_ONCE).map(({ permit }) => permit));
    owners.push(...accounts.map((account) => requireReadable(account)?.owner));
  }
  return owners;
}

it('kill -9 while permits are issued: each is issued once, none is lost, and the books agree with the chain', async () => {
  const { em } = context();
  const partner = await em.findOneOrFail(Partner, { name: 'Front Row' });
  const [type] = await em.find(TicketType, {}, { orderBy: { id: 'asc' }, limit: 1 });
  const users = service.kit.test_users.map(({ id }) => id);
  const fanIds = Array.from({ length: GRANTED_AT_ONCE }, (_, index) => users[index % users.length] ?? '');
  const plan = { partnerId: partner.id, ticketTypeId: type?.id ?? '', fanIds };
  const left = await killDuring(
    () => grantPermits(context(), plan, 'test'),
    GRANT_PAUSE_MS,
    `issue_transaction where state in ('open', 'landed')`,
  );
  const settledAfter = await untilNone('waiting_permit');
  expect(await count('waiting_permit'), 'nothing is stuck').toBe(0);

  const permits = await readPermits();
  expect(permits.filter(({ issued }) => !issued)).toEqual([]);
  expect(await ownersOf(permits), 'each is in its holder’s wallet').toEqual(permits.map(({ owner }) => owner));
  const onchain = new Set<string>();
  for (const { permit } of permits) {
    const { ran, failed } = await signaturesOf(connection, permit);
    expect([ran.length, failed.length], `${permit} was issued once, and nothing was paid in vain`).toEqual([1, 0]);
    for (const signature of ran) onchain.add(signature);
  }

  const issues = await rows<{ signature: string; state: string; permits: number; cost: string }>(
    'select signature, state, permits, (fee + rent)::text as cost from issue_transaction',
  );
  const final = issues.filter(({ state }) => state === 'final');
  expect(new Set(final.map(({ signature }) => signature))).toEqual(onchain);
  expect(final.reduce((sum, each) => sum + each.permits, 0)).toBe(permits.length);
  let spent = 0;
  for (const { signature, cost } of final) {
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    const paid = (landed?.meta?.preBalances[0] ?? Number.NaN) - (landed?.meta?.postBalances[0] ?? Number.NaN);
    expect(Number(cost), `what ${signature} cost`).toBe(paid);
    spent += paid;
  }
  const [books] = await rows<object>(
    'select sum(permits)::int as permits, sum(transactions)::int as transactions, sum(fees + rent)::float8 as spent from issue_day',
  );
  expect(books).toEqual({ permits: permits.length, transactions: final.length, spent });
  process.stdout.write(
    `${KILLS} kills, ${permits.length} permits in ${final.length} transactions; ${left} transactions left by the kills, ` +
      `${issues.length - final.length} that never landed; the last settled ${settledAfter} s after the last was granted\n`,
  );
  expect(left, 'the kills hit').toBeGreaterThan(0);
});

it('kill -9 while permits are moved: each move is carried out once, none is lost, and fans have what the chain says', async () => {
  const users = await rows<{ id: Uuid }>('select fan_id as id from test_user');
  const chosen = (await readPermits()).slice(0, MOVED_PERMITS).map(({ id }) => id);
  const orderMoves = async () => {
    const idle = await rows<{ id: Uuid; owner_id: Uuid }>(
      `select p.id, t.owner_id from permit p join ticket t on t.id = p.ticket_id
       where p.id = any($1) and p.issued_at is not null
         and not exists (select from custody_move m where m.permit_id = p.id and m.state = 'open')`,
      [chosen],
    );
    for (const { id, owner_id: owner } of idle) {
      const to = users.find((user) => user.id !== owner);
      if (to === undefined) throw new Error('the starter kit has two test users');
      const order = { permitId: idOf('perm', id), to: { fanId: idOf('usr', to.id) }, origin: 'a test' };
      const work = context();
      await work.em.transactional((em) =>
        orderMove({ ...work, em }, { ...order, reason: 'To and fro.', actor: 'staff:test' }),
      );
    }
  };
  const open = `custody_move where state = 'open'`;
  const left = await killDuring(orderMoves, GRANT_PAUSE_MS, `${open} and signature is not null`);
  const settledAfter = await untilNone(open);

  const moves = await rows<{ id: Uuid; state: string; permit_id: Uuid; reason: string | null }>(
    'select id, state, permit_id, reason from custody_move',
  );
  expect(
    moves.filter(({ state }) => state !== 'done'),
    'none is stuck or lost',
  ).toEqual([]);
  const audited = await rows<{ move: string; ends: number }>(
    `select details->>'move' as move, count(*)::int as ends from audit_entry
     where action in ('custody_move.done', 'custody_move.failed') group by 1`,
  );
  const ends = new Map(audited.map(({ move, ends }) => [move, ends]));
  expect(ends, 'the end of each is audited once').toEqual(new Map(moves.map(({ id }) => [idOf('move', id), 1])));

  const permits = (await readPermits()).filter(({ id }) => chosen.includes(id));
  expect(await ownersOf(permits)).toEqual(permits.map(({ owner }) => owner));
  for (const { id, permit } of permits) {
    const ordered = moves.filter(({ permit_id }) => permit_id === id).length;
    expect((await transfersOf(connection, permit)).length, `transfers of ${permit}`).toBe(ordered);
    expect((await signaturesOf(connection, permit)).failed, 'nothing was sent in vain').toEqual([]);
  }
  process.stdout.write(
    `${KILLS} kills, ${moves.length} moves; ${left} sent ones left by the kills; the last settled ${settledAfter} s after the stream\n`,
  );
  expect(left, 'the kills hit').toBeGreaterThan(0);
});

/** Permits on sale, each by a grant of its own, as if the grant's client had had the listing co-signed. */
async function putOnSale(count: number): Promise<{ grant: Id<'grant'>; fan: Id<'usr'>; permit: string }[]> {
  const { chains, close } = await openChains(ordering.runtime);
  const chain = chainOf(chains, 'sandbox');
  const { authority, programId } = chain;
  const marketplace = Keypair.generate().publicKey.toBase58();
  const work = context();
  const made = [];
  for (const { id, permit, owner, owner_id } of (await readPermits()).slice(0, count)) {
    const [fan, price] = [idOf('usr', owner_id), 5_000n];
    const consent = {
      scope: 'openid fan:listings:write',
      actions: ['fan:listings:write'],
      mode: 'all_current_future',
    } as const;
    const grant = work.em.create(ConsentGrant, {
      ...consent,
      fan,
      client: service.kit.client_id as Id<'client'>,
      consentedActions: [...consent.actions],
      actions: [...consent.actions],
      ticketIds: [],
      createdAt: work.now(),
      endsAfter: new Date(work.now().getTime() + 86_400_000),
    });
    const signature = {
      messageHash: `of ${permit}`.slice(0, 43),
      permit: idOf('perm', id),
      grant,
      action: 'list',
      sentence: `List permit ${permit} for ${price} lamports on marketplace ${marketplace}, for its owner ${owner}.`,
      signedAt: work.now(),
    } as const;
    work.em.persist(work.em.create(ListingSignature, signature));
    await work.em.flush();
    const accounts = { permit, owner, authority, marketplace };
    const list = encodeInstruction(programId, 'create_listing_v1', accounts, { price });
    await runOwnTransaction(chain, ordering.runtime.signer, [list], [owner, authority]);
    made.push({ grant: grant.id, fan, permit });
  }
  await close();
  return made;
}

it('kill -9 between the end of access and the closing: what was on sale is taken off sale, each once', async () => {
  const sales = await putOnSale(SALES);
  await expect.poll(() => count('listing where closed_at is null'), { timeout: 60_000 }).toBe(SALES);
  const before = await count('custody_move');
  const waiting = [...sales];
  const endOne = async () => {
    for (const { grant } of waiting.splice(0, 3)) {
      await revokeGrant(context(), { grantId: grant, reason: 'revoked_by_fan', actor: 'system' });
    }
  };
  const left = await killDuring(endOne, GRANT_PAUSE_MS, 'listing where closed_at is null');
  while (waiting.length > 0) await endOne();
  const settledAfter = await untilNone(`custody_move where state = 'open'`);
  expect(await count('listing where closed_at is null')).toBe(0);
  expect(await count('custody_move')).toBe(before + SALES);
  const gateway = createGateway({ rpcUrl: service.rpcUrl, programId: LOCAL_PROGRAM_ID });
  const accounts = await gateway.permits(sales.map(({ permit }) => permit));
  expect(accounts.map((account) => requireReadable(account)?.state)).toEqual(sales.map(() => 'held'));
  for (const { permit } of sales) {
    expect((await signaturesOf(connection, permit)).failed, 'nothing was sent in vain').toEqual([]);
  }
  process.stdout.write(
    `${KILLS} kills, ${SALES} sales; ${left} left by the kills; the last ended ${settledAfter} s after\n`,
  );
  expect(left, 'the kills hit').toBeGreaterThan(0);
});

/** Events on the chain that may be closed at any time, and the tickets of each. */
async function closableEvents(): Promise<Event[]> {
  const { chains, close } = await openChains(ordering.runtime);
  const chain = chainOf(chains, 'sandbox');
  const { signer } = ordering.runtime;
  const { authority, payer, programId } = chain;
  const partner = await context().em.findOneOrFail(Partner, { name: 'Front Row' });
  const users = service.kit.test_users.map(({ id }) => id);
  const fanIds = Array.from({ length: PERMITS_OF_EVENT }, (_, index) => users[index % users.length] ?? '');
  const made: Event[] = [];
  for (let index = 0; index < ENDED_EVENTS; index++) {
    const work = context();
    const [startsAt, endsAt] = [3_600_000, 7_200_000].map((ahead) => new Date(Date.now() + ahead)) as [Date, Date];
    const plan = { name: `Event ${index}`, venue: null, startsAt, endsAt, ticketTypes: ['Standing'] };
    const { event, ticketTypes } = createTestEvent(work, plan, 'test');
    const args = { event_id: onchainEventId(event.id), closable_from: 0n };
    const accounts = { event: event.tixEventId, authority, organiser: authority, payer };
    const instruction = encodeInstruction(programId, 'register_event_v1', accounts, args);
    await runOwnTransaction(chain, signer, [instruction], [authority]);
    // so the service does not register it with a time to come
    event.registeredAt = new Date();
    await work.em.flush();
    await grantPermits(context(), { partnerId: partner.id, ticketTypeId: ticketTypes[0]?.id ?? '', fanIds }, 'test');
    made.push(event);
  }
  await close();
  return made;
}

it('kill -9 while permits are closed: each is closed once, none is forgotten, and every lamport is in the books', async () => {
  const events = await closableEvents();
  await untilNone('waiting_permit');
  const ids = events.map(({ id }) => uuidOf('evt', id));
  const ofEvents = `permit p join ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id
    join event e on e.id = tt.event_id and e.id in (${ids.map((id) => `'${id}'`).join()})`;
  expect(await count(`${ofEvents} where p.issued_at is not null`)).toBe(ENDED_EVENTS * PERMITS_OF_EVENT);
  const waiting = [...ids];
  const endOne = async () => {
    const over = "starts_at = now() - interval '3 days', ends_at = now() - interval '2 days'";
    for (const id of waiting.splice(0, 1)) await rows(`update event set ${over} where id = $1`, [id]);
  };
  const left = await killDuring(
    endOne,
    GRANT_PAUSE_MS,
    `issue_transaction where closes and state in ('open', 'landed')`,
  );
  while (waiting.length > 0) await endOne();
  const settledAfter = await untilNone(`${ofEvents} where p.closed_at is null`);

  const permits = await rows<{ permit: string; closed: boolean; returned: string }>(
    `select p.tix_permit_id as permit, p.closed_at is not null as closed, p.returned::text from ${ofEvents} order by p.id`,
  );
  expect(permits.filter(({ closed }) => !closed)).toEqual([]);
  const gateway = createGateway({ rpcUrl: service.rpcUrl, programId: LOCAL_PROGRAM_ID });
  for (let at = 0; at < permits.length; at += ACCOUNTS_AT_ONCE) {
    const page = permits.slice(at, at + ACCOUNTS_AT_ONCE).map(({ permit }) => permit);
    expect(await gateway.permits(page)).toEqual(page.map(() => undefined));
  }
  const onchain = new Set<string>();
  for (const { permit } of permits) {
    const { ran, failed } = await signaturesOf(connection, permit);
    expect([ran.length, failed.length], `${permit} was issued and closed once, and nothing was paid in vain`).toEqual([
      2, 0,
    ]);
    const [closing] = ran;
    if (closing !== undefined) onchain.add(closing);
  }
  const final = await rows<{ signature: string; cost: number }>(
    "select signature, (fee + rent)::float8 as cost from issue_transaction where closes and state = 'final'",
  );
  expect(new Set(final.map(({ signature }) => signature))).toEqual(onchain);
  for (const { signature, cost } of final) {
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    const paid = (landed?.meta?.preBalances[0] ?? Number.NaN) - (landed?.meta?.postBalances[0] ?? Number.NaN);
    expect(cost, `what ${signature} cost`).toBe(paid);
  }
  const [books] = await rows<object>(
    `select sum(events)::int as events, sum(permits)::int as permits, sum(transactions)::int as transactions,
       sum(rent)::float8 as rent from issue_day where closes`,
  );
  const returned = permits.reduce((sum, each) => sum + Number(each.returned), 0);
  expect(books).toEqual({
    events: ENDED_EVENTS,
    permits: permits.length,
    transactions: final.length,
    rent: -returned,
  });
  expect(await count('unread_permit')).toBe(0);
  process.stdout.write(
    `${KILLS} kills, ${permits.length} permits closed in ${final.length} transactions; ${left} transactions left by the ` +
      `kills; the last settled ${settledAfter} s after the last kill\n`,
  );
  expect(left, 'the kills hit').toBeGreaterThan(0);
});
