import { afterEach } from 'vitest';
import { CustodyMove } from '../../../../src/entities/custody-move.ts';
import { KillSwitch } from '../../../../src/entities/kill-switch.ts';
import { Permit } from '../../../../src/entities/permit.ts';
import { carryOutMoves } from '../../../../src/inventory/custody-move/carry-out-moves.ts';
import { type MoveOrder, orderMove } from '../../../../src/inventory/custody-move/order-move.ts';
import { type ChainApp, rows, type TestTicket } from '../../../support/chain-app.ts';
import { chainStage } from '../../../support/chain-stage.ts';
import { randomAddress } from '../../../support/ticket-transactions.ts';

/** Orders a move of the test's ticket. */
export type Order = (choice?: Partial<MoveOrder>) => Promise<CustodyMove>;

/** For tests of custody moves: of a ticket of the seller, by default to `outside`, a wallet that is nobody's here. */
export async function movesStage() {
  const stage = await chainStage();
  const { app } = stage;
  afterEach(async () => {
    await rows(app, `update custody_move set state = 'failed' where state = 'open'`);
    await app.context().em.nativeDelete(KillSwitch, {});
  });

  const it = stage.it
    .extend('outside', () => randomAddress())
    .extend('order', ({ heldTicket, outside }): Order => {
      return async (choice) => {
        const context = app.context();
        const { id } = await context.em.findOneOrFail(Permit, { tixPermitId: heldTicket.permit });
        const usual = { origin: 'a test', reason: 'The fan leaves.', actor: 'staff:test' };
        return context.em.transactional((em) =>
          orderMove({ ...context, em }, { permitId: id, to: { address: outside }, ...usual, ...choice }),
        );
      };
    });

  async function read({ id }: Pick<CustodyMove, 'id'>) {
    const { state, reason, tries, signature } = await app.context().em.findOneOrFail(CustodyMove, { id });
    return { state, reason: reason ?? null, tries, signature: signature ?? null };
  }

  /** The job of a process, some time later. */
  async function carryOut(secondsLater = 0, by: ChainApp = app): Promise<void> {
    by.advance(secondsLater);
    await carryOutMoves(by.context());
  }

  async function ownerOf({ permit }: TestTicket): Promise<string | null> {
    const [row] = await rows<{ owner: string | null }>(
      app,
      `select w.address as owner from permit p join ticket t on t.id = p.ticket_id left join wallet w on w.fan_id = t.owner_id
       where p.tix_permit_id = $1`,
      [permit],
    );
    return row?.owner ?? null;
  }

  const sends = () => app.proxy.count('sendTransaction');
  return { ...stage, it, read, carryOut, ownerOf, sends };
}
