import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { carryOutMoves } from '../../../src/custody-move/carry-out-moves.ts';
import { type MoveOrder, orderMove } from '../../../src/custody-move/order-move.ts';
import { CustodyMove } from '../../../src/entities/custody-move.ts';
import { KillSwitch } from '../../../src/entities/kill-switch.ts';
import { Permit } from '../../../src/entities/permit.ts';
import {
  type ChainApp,
  moreTickets,
  rows,
  startChainApp,
  type TestTicket,
  type User,
} from '../../support/chain-app.ts';
import { fundedMarketplace, type Marketplace, randomAddress } from '../../support/ticket-transactions.ts';

/**
 * The set-up of the tests of custody moves: before each test a ticket of `owner` that no other test has used, and a wallet that is
 * nobody's here. Registers the hooks of the file that calls it.
 * @param count of tickets for all tests of the file
 */
export function movesStage(count = 36) {
  let app: ChainApp;
  let market: Marketplace;
  let tickets: TestTicket[];
  let ticket: TestTicket;
  let outside: string;
  beforeAll(async () => {
    app = await startChainApp();
    market = await fundedMarketplace(app);
    tickets = await moreTickets(app, app.users[0], { count });
  });
  afterAll(() => app.stop());
  beforeEach(() => {
    ticket = next();
    outside = randomAddress();
    app.proxy.reset();
  });
  afterEach(async () => {
    app.proxy.reset();
    app.resetClock();
    await rows(app, `update custody_move set state = 'failed' where state = 'open'`);
    await app.context().em.nativeDelete(KillSwitch, {});
  });

  function next(): TestTicket {
    const unused = tickets.pop();
    if (!unused) throw new Error('more tickets are needed');
    return unused;
  }

  async function order(choice: Partial<MoveOrder> = {}): Promise<CustodyMove> {
    const context = app.context();
    const { id } = await context.em.findOneOrFail(Permit, { tixPermitId: ticket.permit });
    return context.em.transactional((em) =>
      orderMove(
        { ...context, em },
        {
          permitId: id,
          to: { address: outside },
          origin: 'a test',
          reason: 'The fan leaves.',
          actor: 'staff:test',
          ...choice,
        },
      ),
    );
  }

  async function read({ id }: Pick<CustodyMove, 'id'>) {
    const { state, reason, tries, signature } = await app.context().em.findOneOrFail(CustodyMove, { id });
    return { state, reason: reason ?? null, tries, signature: signature ?? null };
  }

  /** The job of a process, some time later. */
  async function carryOut(secondsLater = 0, by: ChainApp = app): Promise<void> {
    by.advance(secondsLater);
    await carryOutMoves(by.context());
  }

  async function ownerOf(of: TestTicket = ticket): Promise<string | null> {
    const [row] = await rows<{ owner: string | null }>(
      app,
      `select w.address as owner from permit p join ticket t on t.id = p.ticket_id left join wallet w on w.fan_id = t.owner_id
       where p.tix_permit_id = $1`,
      [of.permit],
    );
    return row?.owner ?? null;
  }

  return {
    next,
    order,
    read,
    carryOut,
    ownerOf,
    get app() {
      return app;
    },
    get market() {
      return market;
    },
    get ticket() {
      return ticket;
    },
    get outside() {
      return outside;
    },
    get owner(): User {
      return app.users[0];
    },
    get other(): User {
      return app.users[1];
    },
  };
}
