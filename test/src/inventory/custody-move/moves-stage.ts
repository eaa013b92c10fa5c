import { afterEach, expect } from 'vitest';
import { CustodyMove } from '../../../../src/entities/custody-move.ts';
import { KillSwitch } from '../../../../src/entities/kill-switch.ts';
import { Permit } from '../../../../src/entities/permit.ts';
import { carryOutMoves } from '../../../../src/inventory/custody-move/carry-out-moves.ts';
import { type MoveOrder, orderMove } from '../../../../src/inventory/custody-move/order-move.ts';
import { type ChainApp, rows, startChainApp } from '../../../support/chain-app.ts';
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

  const sends = () => app.proxy.count('sendTransaction');

  async function expectDone(move: CustodyMove): Promise<void> {
    expect(await read(move)).toMatchObject({ state: 'done', reason: null });
  }

  /** It waits, and this process sent nothing. */
  async function expectWaits(move: CustodyMove, reason?: string | RegExp): Promise<void> {
    const { reason: told, ...row } = await read(move);
    expect(row).toMatchObject({ state: 'open' });
    if (reason !== undefined) expect(told).toMatch(reason);
    expect(sends()).toBe(0);
  }

  /** Orders a move and sends it; the cluster breaks off before its end is seen. @param isLost the node keeps it to itself */
  async function sentUnseen(order: () => Promise<CustodyMove>, isLost: boolean): Promise<CustodyMove> {
    const move = await order();
    app.proxy.setRule(({ method }) => {
      if (method === 'sendTransaction' && isLost) return { reply: { result: 'lost' } };
      return method === 'getSignatureStatuses' && sends() > 0 ? 'away' : 'pass';
    });
    await carryOut();
    expect(await read(move)).toMatchObject({ state: 'open', signature: expect.any(String) });
    app.proxy.reset();
    return move;
  }

  /** Another process: one whose gateway has asked about nothing before. */
  async function elsewhere(run: (another: ChainApp) => Promise<void>): Promise<void> {
    const another = await startChainApp({ beside: app });
    await run(another).finally(() => another.stop());
  }

  return { ...stage, it, read, carryOut, sends, expectDone, expectWaits, sentUnseen, elsewhere };
}
