import { randomBytes } from 'node:crypto';
import { eventAddress, permitAddress } from '@fan-api/cosign-policy/program-addresses';
import { addressOf } from '@fan-api/solana-wire/base58';
import { ACCOUNT_DISCRIMINATORS } from '@fan-api/ticket-program/description';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeAccount, encodeInstruction } from '../../../src/chain/instruction/instructions.ts';
import { runOwnTransaction } from '../../../src/chain/wallet/own-transaction.ts';
import { carryOutMoves } from '../../../src/inventory/custody-move/carry-out-moves.ts';
import { putOnchain } from '../../../src/inventory/issuing/issue-turn.ts';
import { registerFan } from '../../../src/sign-in/fan/register-fan.ts';
import { reconcile } from '../../../src/tickets/ticket/reconcile.ts';
import { type ChainApp, rows } from '../../support/chain-app.ts';
import type { RpcReply } from '../../support/rpc-proxy.ts';
import {
  fundedMarketplace,
  listInstruction,
  type Marketplace,
  onChain,
  randomAddress,
  transferInstruction,
} from '../../support/ticket-transactions.ts';
import { fanOf, movesOf, startProductionChain, ticketOf } from './chain-stage.ts';
import { apply, eventRow, outcomes, ticketRow, typeRow } from './stage.ts';

let app: ChainApp;
let other: ChainApp;
let market: Marketplace;
beforeAll(async () => {
  app = await startProductionChain();
  other = await startProductionChain(app);
  market = await fundedMarketplace(app);
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});
beforeEach(() => app.proxy.reset());

let numbers = 600;

/** A fan of production with a wallet. */
async function newHolder() {
  numbers += 1;
  const phone = `+1202555${String(numbers).padStart(4, '0')}`;
  await registerFan(app.context(), 'production', phone);
  return fanOf(app, phone);
}

/** Runs an instruction that the authority signs, or that `signer` signs as well. */
const run = (instruction: Instruction, ...signer: string[]) =>
  runOwnTransaction(app.chain, app.runtime.signer, [instruction], [app.chain.authority, ...signer]);
type Instruction = Parameters<typeof runOwnTransaction>[2][number];

/** Registers an event under an ID of its own, as another system with our program does. @returns the address of its account */
async function registeredElsewhere(): Promise<string> {
  const { programId, authority, payer } = app.chain;
  const event_id = randomBytes(32);
  const event = eventAddress(programId, event_id).address;
  await run(
    encodeInstruction(programId, 'register_event_v1', { event, authority, organiser: authority, payer }, { event_id }),
  );
  return event;
}

/** Issues a permit under an ID of its own. @returns the address of its account */
async function issuedElsewhere(event: string, owner: string, ticket_id: Uint8Array = randomBytes(32)): Promise<string> {
  const { programId, authority, payer } = app.chain;
  const permit = permitAddress(programId, event, ticket_id).address;
  await run(encodeInstruction(programId, 'issue_permit_v1', { event, permit, authority, payer }, { ticket_id, owner }));
  return permit;
}

/** An adopted event with a type, and the row of a ticket that adopts a permit of it. */
async function standing({ wallet }: { wallet?: string } = {}) {
  const holder = await newHolder();
  const tixEventId = await registeredElsewhere();
  const event = `adopted-${numbers}`;
  const type = `type-${numbers}`;
  const before = [eventRow(event, { tix_event_id: tixEventId }), typeRow(event, type)];
  expect(await outcomes(app, before)).toEqual(['created', 'created']);
  const ticketId = randomBytes(32);
  const permit = await issuedElsewhere(tixEventId, wallet ?? holder.wallet_address, ticketId);
  const row = ticketRow(event, type, `ticket-${numbers}`, { holder_phone: holder.phone, tix_permit_id: permit });
  const ticket = { id: '', permit, tixEventId, tixTicketId: addressOf(ticketId) };
  return { holder, event, type, before, tixEventId, row, permit, ticket };
}

/** Has `getMultipleAccounts` say something else of the only account that is asked for. */
function bendAccount(bend: (account: { owner: string; data: [string, string] } | null) => unknown): void {
  app.proxy.setRule(({ method, params }) => {
    if (method !== 'getMultipleAccounts' || (params[0] as unknown[]).length !== 1) return 'pass';
    return (reply: RpcReply) => {
      const result = reply.result as { context: unknown; value: [null] };
      return { result: { ...result, value: [bend(result.value[0])] } };
    };
  });
}

describe('an event or a permit that stands on the cluster already', () => {
  it('is adopted for the holder in whose wallet it is, and never issued again', async () => {
    const { row, before, permit, ticket, holder, tixEventId } = await standing();
    expect(await outcomes(app, [row])).toEqual(['created']);
    const [stored] = await rows(
      app,
      `select e.tix_event_id, e.registered_at is not null as registered, t.tix_ticket_id, p.tix_permit_id,
         p.issued_at is not null as issued, p.chain_slot is not null as read,
         exists (select from waiting_permit w where w.permit_id = p.id) as waits,
         exists (select from unread_permit u where u.permit_id = p.id) as unread
       from ticket t join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
         join permit p on p.ticket_id = t.id where t.reference = $1`,
      [row.reference],
    );
    expect(stored).toEqual({
      tix_event_id: tixEventId,
      registered: true,
      tix_ticket_id: ticket.tixTicketId,
      tix_permit_id: permit,
      issued: true,
      read: true,
      waits: false,
      unread: false,
    });
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: holder.phone, listing: false });
    expect(await outcomes(app, [...before, row])).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  it('can be adopted in one batch with its event, and others of that event are issued by us', async () => {
    const holder = await newHolder();
    const tixEventId = await registeredElsewhere();
    const permit = await issuedElsewhere(tixEventId, holder.wallet_address);
    const [event, type] = [`batch-${numbers}`, `type-${numbers}`];
    const adopting = ticketRow(event, type, `adopting-${event}`, { holder_phone: holder.phone, tix_permit_id: permit });
    const ours = ticketRow(event, type, `ours-${event}`, { holder_phone: holder.phone });
    const batch = [adopting, ours, typeRow(event, type), eventRow(event, { tix_event_id: tixEventId })];
    expect(await outcomes(app, batch)).toEqual(Array(4).fill('created'));
    await putOnchain(app.context(), 'production');
    const issued = await ticketOf(app, ours.reference);
    expect(await onChain(app, issued)).toMatchObject({ owner: holder.wallet_address });
  });

  it('has its listing', async () => {
    const { row, ticket, holder } = await standing();
    await run(listInstruction(app, ticket, holder.wallet_address, market.address), holder.wallet_address);
    expect(await outcomes(app, [row])).toEqual(['created']);
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: holder.phone, listing: true });
  });

  it('moves onchain where a later row of the batch names another holder', async () => {
    const { row, ticket } = await standing();
    const next = await newHolder();
    expect(await outcomes(app, [row, { ...row, holder_phone: next.phone }])).toEqual(['created', 'updated']);
    expect(await movesOf(app, row.reference)).toMatchObject([{ kind: 'transfer', state: 'open' }]);
    await carryOutMoves(app.context());
    expect(await onChain(app, ticket)).toMatchObject({ owner: next.wallet_address });
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: next.phone });
  });
});

describe('it is not adopted', () => {
  it('where the row is not for the holder in whose wallet it is', async () => {
    const fan = await newHolder();
    const ofFan = await standing({ wallet: fan.wallet_address });
    expect(await outcomes(app, [ofFan.row])).toEqual(['failed held_by_another tix_permit_id']);
    const stranger = await standing({ wallet: randomAddress() });
    expect(await outcomes(app, [stranger.row])).toEqual(['failed held_elsewhere tix_permit_id']);
    const nobodyYet = { ...stranger.row, holder_phone: '+12025559999' };
    expect(await outcomes(app, [nobodyYet])).toEqual(['failed held_elsewhere tix_permit_id']);
    expect(await rows(app, `select from fan where phone = '+12025559999'`)).toEqual([]);
    const ofSandbox = await standing({ wallet: app.users[0].wallet_address });
    expect(await outcomes(app, [ofSandbox.row])).toEqual(['failed held_elsewhere tix_permit_id']);
  });

  it('where there is no such account, or one of another kind', async () => {
    const { row, event, type, tixEventId, permit } = await standing();
    const bad: [changes: object, outcome: string][] = [
      [{ tix_permit_id: 'here' }, 'failed invalid_row tix_permit_id'],
      [{ tix_permit_id: randomAddress() }, 'failed no_account tix_permit_id'],
      [{ tix_permit_id: tixEventId }, 'failed wrong_account tix_permit_id'],
      [{ tix_permit_id: app.chain.programId }, 'failed wrong_account tix_permit_id'],
    ];
    const batch = bad.map(([changes], index) => ({ ...row, reference: `${event}-bad-${index}`, ...changes }));
    const good = ticketRow(event, type, `${event}-good`);
    expect(await outcomes(app, [...batch, good, row])).toEqual([...bad.map(([, said]) => said), 'created', 'created']);
    const events: [address: string, outcome: string][] = [
      [randomAddress(), 'failed no_account tix_event_id'],
      [permit, 'failed wrong_account tix_event_id'],
      ['here', 'failed invalid_row tix_event_id'],
    ];
    const eventRows = events.map(([tix_event_id], index) => eventRow(`${event}-bad-${index}`, { tix_event_id }));
    expect(await outcomes(app, eventRows)).toEqual(events.map(([, said]) => said));
  });

  it('where the account is forged', async () => {
    const { row, event, permit, holder, ticket } = await standing();
    const strangers = randomAddress();
    bendAccount((account) => account && { ...account, owner: strangers });
    expect(await outcomes(app, [row])).toEqual(['failed wrong_account tix_permit_id']);
    bendAccount((account) => {
      const data = Buffer.from(account?.data[0] ?? '', 'base64');
      data.set(ACCOUNT_DISCRIMINATORS.Event);
      return account && { ...account, data: [data.toString('base64'), 'base64'] };
    });
    expect(await outcomes(app, [row])).toEqual(['failed wrong_account tix_permit_id']);
    bendAccount((account) => account && { ...account, data: [Buffer.alloc(150, 1).toString('base64'), 'base64'] });
    expect(await outcomes(app, [row])).toEqual(['failed wrong_account tix_permit_id']);
    // all is well, but for its address, which is not that of the ticket's permit
    const values = { ticket_id: randomBytes(32), owner: holder.wallet_address, state: 0, price: 0n, bump: 255 };
    const forged = encodeAccount('Permit', { ...values, event: ticket.tixEventId, marketplace: '1'.repeat(32) });
    bendAccount((account) => account && { ...account, data: [forged.toString('base64'), 'base64'] });
    expect(await outcomes(app, [row])).toEqual(['failed wrong_account tix_permit_id']);
    const organiser = randomAddress();
    const forgedEvent = encodeAccount('Event', { event_id: randomBytes(32), organiser, bump: 255 });
    bendAccount((account) => account && { ...account, data: [forgedEvent.toString('base64'), 'base64'] });
    const adopting = eventRow(`${event}-forged`, { tix_event_id: await registeredElsewhere() });
    expect(await outcomes(app, [adopting])).toEqual(['failed wrong_account tix_event_id']);
    app.proxy.reset();
    expect(await outcomes(app, [row])).toEqual(['created']);
    expect(await rows(app, 'select from permit where tix_permit_id = $1', [permit])).toHaveLength(1);
  });

  it('where it is of another event', async () => {
    const { row } = await standing();
    const { event, type } = await standing();
    expect(await outcomes(app, [{ ...row, event, ticket_type: type }])).toEqual(['failed wrong_event tix_permit_id']);
  });

  it('where something else has it, or the row’s own thing has another', async () => {
    const { row, event, type, tixEventId, holder } = await standing();
    const second = { ...row, reference: `${row.reference}-second` };
    expect(await outcomes(app, [row, second])).toEqual(['created', 'failed account_taken tix_permit_id']);
    expect(await outcomes(app, [second])).toEqual(['failed account_taken tix_permit_id']);
    const permit = await issuedElsewhere(tixEventId, holder.wallet_address);
    expect(await outcomes(app, [{ ...row, tix_permit_id: permit }])).toEqual(['failed another_account tix_permit_id']);
    const plain = ticketRow(event, type, `${row.reference}-plain`, { holder_phone: holder.phone });
    expect(await outcomes(app, [plain, { ...plain, tix_permit_id: permit }])).toEqual([
      'created',
      'failed another_account tix_permit_id',
    ]);
    const elsewhere = await registeredElsewhere();
    expect(
      await outcomes(app, [
        eventRow(`${event}-second`, { tix_event_id: tixEventId }),
        eventRow(event, { tix_event_id: elsewhere }),
        eventRow(`${event}-third`, { tix_event_id: elsewhere }),
        eventRow(`${event}-fourth`, { tix_event_id: elsewhere }),
      ]),
    ).toEqual([
      'failed account_taken tix_event_id',
      'failed another_account tix_event_id',
      'created',
      'failed account_taken tix_event_id',
    ]);
  });
});

describe('while the cluster', () => {
  it('is away, only rows that adopt fail, and they may come again', async () => {
    const { row, event, type } = await standing();
    app.proxy.setRule(() => ({ status: 500 }));
    const plain = ticketRow(event, type, `${event}-plain`);
    const adopting = eventRow(`${event}-away`, { tix_event_id: randomAddress() });
    expect(await outcomes(app, [row, plain, adopting])).toEqual([
      'failed cluster_away tix_permit_id',
      'created',
      'failed cluster_away tix_event_id',
    ]);
    app.proxy.reset();
    expect(await outcomes(app, [row])).toEqual(['created']);
  });

  it('goes away before the permit is read once more, reconciling reads it', async () => {
    const { row, permit } = await standing();
    app.proxy.setRule(({ method, params }) => {
      const { commitment } = (params[1] ?? {}) as { commitment?: string };
      return method === 'getMultipleAccounts' && commitment === 'confirmed' ? { status: 500 } : 'pass';
    });
    expect(await outcomes(app, [row])).toEqual(['created']);
    app.proxy.reset();
    const unread = () =>
      rows(app, `select from unread_permit u join permit p on p.id = u.permit_id where p.tix_permit_id = $1`, [permit]);
    expect(await unread()).toHaveLength(1);
    app.advance(5);
    await reconcile(app.context(), 'production');
    app.resetClock();
    expect(await unread()).toHaveLength(0);
  });

  it('moves the permit between the reading and the commit, the ticket is whose the chain says', async () => {
    const { row, ticket, holder } = await standing();
    const buyer = await newHolder();
    let moved = false;
    app.proxy.setRule(({ method }) => {
      if (method !== 'getMultipleAccounts' || moved) return 'pass';
      moved = true;
      // the answer is from before, and it moves before the answer is here
      return async (reply: RpcReply) => {
        app.proxy.reset();
        const { wallet_address: from } = holder;
        const transfer = transferInstruction(app, ticket, from, buyer.wallet_address);
        await runOwnTransaction(app.chain, app.runtime.signer, [transfer], [from]);
        await reconcile(app.context(), 'production');
        return reply;
      };
    });
    expect(await outcomes(app, [row])).toEqual(['created']);
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: buyer.phone });
  });
});

it('two processes that adopt the same permits at once give each to one ticket', async () => {
  const { row, tixEventId, holder } = await standing();
  const permits = await Promise.all(
    Array.from({ length: 5 }, () => issuedElsewhere(tixEventId, holder.wallet_address)),
  );
  const adopting = (part: number) =>
    permits.map((tix_permit_id, index) => ({ ...row, reference: `${row.reference}-${part}-${index}`, tix_permit_id }));
  const told = await Promise.all(
    [0, 1, 2, 3].map((part) => outcomes(part % 2 ? app : other, part > 1 ? adopting(part).reverse() : adopting(part))),
  );
  expect(told.flat().sort()).toEqual([
    ...Array(5).fill('created'),
    ...Array(15).fill('failed account_taken tix_permit_id'),
  ]);
});

it('asks neither cluster nor database more where no row adopts', async () => {
  const { row, event, type } = await standing();
  await apply(app, [row]);
  app.proxy.reset();
  const plain = ticketRow(event, type, `${event}-plain`);
  expect(await outcomes(app, [plain, row])).toEqual(['created', 'unchanged']);
  expect(app.proxy.calls).toEqual([]);
});
