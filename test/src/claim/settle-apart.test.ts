import { beforeEach, describe, expect, it } from 'vitest';
import type { ChainGateway } from '../../../src/chain/gateway/gateway.ts';
import { settleDueClaims } from '../../../src/claim/settle-due-claims.ts';
import { type ChainApp, rows, type TestTicket, type User } from '../../support/chain-app.ts';
import type { Fate, RpcReply } from '../../support/rpc-proxy.ts';
import { claim, signatureOf } from '../../support/ticket-transactions.ts';
import { settleStage } from './settle-stage.ts';

/** One claim that can't be settled never holds up another. */
const troubled = settleStage(22);
const { stage, context, settle, twoWritten, trouble, counted, expectSetAside, expectSettledAtLast, refuseToStore } =
  troubled;
const { expectClaimed } = stage;
let app: ChainApp;
let buyer: User;
/** The claim that goes well. */
let bytes: Buffer;
/** The one that makes trouble. */
let badTicket: TestTicket;
let bad: Buffer;
beforeEach(() => {
  ({ app, buyer, bytes } = stage);
  ({ badTicket, bad } = troubled);
});

/** Replies of a method that concern an address or signature are bent. */
function bend(method: string, of: string, fate: Fate): void {
  app.proxy.setRule(
    (call): Fate => (call.method === method && JSON.stringify(call.params).includes(of) ? fate : 'pass'),
  );
}

/** An error where one is asked about, also among others. */
const refusal: Fate = { reply: { error: { code: -32602, message: 'Invalid param: of this one' } } };

/** The data of the troubled permit's account is of no shape that the program knows. */
function malformed(reply: RpcReply, addresses: unknown): RpcReply {
  const result = reply.result as { value: ({ data: [string, string] } | null)[] };
  const at = (addresses as string[]).indexOf(badTicket.permit);
  const value = result.value.map((account, index) =>
    account && index === at ? { ...account, data: ['AAAA', 'base64'] } : account,
  );
  return { result: { ...result, value } };
}

describe('a claim that can not be settled is set aside, and the other one is confirmed', () => {
  it('its permit can not be stored', async () => {
    await twoWritten();
    await refuseToStore();
    const before = await counted('permit');
    await settle();
    await expectSetAside('permit', /can not be stored/, before);
    await rows(app, 'drop trigger refuse on permit');
    await expectSettledAtLast();
  });

  it('its permit can not be read', async () => {
    await twoWritten();
    app.proxy.setRule(({ method, params }): Fate => {
      const [addresses] = params;
      return method === 'getMultipleAccounts' ? (reply) => malformed(reply, addresses) : 'pass';
    });
    const before = await counted('permit');
    await settle();
    await expectSetAside('permit', /./, before);
    await expectSettledAtLast();
  });

  it('no node comes to the slot where it is said to have landed', async () => {
    await twoWritten();
    let landed = false;
    app.proxy.setRule(({ method, params }): Fate => {
      if (method === 'sendTransaction') landed = true;
      if (method !== 'getSignatureStatuses' || !landed) return 'pass';
      const [signatures] = params as [string[]];
      return (reply) => {
        const result = reply.result as { value: object[] };
        const value = result.value.map((status, index) =>
          signatures[index] === signatureOf(bad) ? { ...status, slot: 1_000_000_000 } : status,
        );
        return { result: { ...result, value } };
      };
    });
    const before = await counted('permit');
    await settle();
    await expectSetAside('permit', /-32016/, before);
    await expectSettledAtLast();
  });

  it('its submission throws', async () => {
    await twoWritten();
    const { gateway } = app.chain;
    const submit: ChainGateway['submit'] = async (transaction, notBefore) => {
      if (Buffer.from(transaction).equals(bad)) throw new Error('a fault of our own');
      return gateway.submit(transaction, notBefore);
    };
    const before = await counted('submission');
    const chains = { sandbox: { ...app.chain, gateway: { ...gateway, submit } } };
    await settleDueClaims({ ...context(), chains }, 0);
    await expectSetAside('submission', /^a fault of our own$/, before);
    await expectSettledAtLast();
  });

  it('the node refuses to look its status up', async () => {
    await twoWritten();
    bend('getSignatureStatuses', signatureOf(bad), refusal);
    const before = await counted('status');
    await settle();
    await expectSetAside('status', /-32602/, before);
    await expectSettledAtLast();
  });

  it('the node answers about its status in another shape', async () => {
    await twoWritten();
    bend('getSignatureStatuses', signatureOf(bad), { reply: { result: { context: {}, value: [7, 7] } } });
    const before = await counted('status');
    await settle();
    await expectSetAside('status', /getSignatureStatuses/, before);
    await expectSettledAtLast();
  });

  it('the node refuses to look its blockhash up', async () => {
    await twoWritten();
    const [row] = await rows<{ recent_blockhash: string }>(
      app,
      `update claim set recent_blockhash = 'x' where signature = $1 returning
         (select recent_blockhash from claim where signature = $1) as recent_blockhash`,
      [signatureOf(bad)],
    );
    const before = await counted('blockhash');
    await settle();
    await expectSetAside('blockhash', /isBlockhashValid/, before);
    await rows(app, 'update claim set recent_blockhash = $2 where signature = $1', [
      signatureOf(bad),
      row?.recent_blockhash,
    ]);
    await expectSettledAtLast();
  });

  it('nor is it alone in asking: a node that answers about the others only', async () => {
    await twoWritten();
    const [row] = await rows<{ recent_blockhash: string }>(
      app,
      `update claim set recent_blockhash = 'y' where signature = $1 returning
         (select recent_blockhash from claim where signature = $1) as recent_blockhash`,
      [signatureOf(bad)],
    );
    bend('isBlockhashValid', 'y', 'away');
    const before = await counted('blockhash');
    await settle();
    await expectSetAside('blockhash', /./, before);
    await rows(app, 'update claim set recent_blockhash = $2 where signature = $1', [
      signatureOf(bad),
      row?.recent_blockhash,
    ]);
    await expectSettledAtLast();
  });
});

it('of one request, the others are confirmed: 503, and the same request again finds the rest', async () => {
  await refuseToStore();
  const answer = await claim(app, buyer, [bytes, bad]);
  expect({ status: answer.status, code: answer.headers.get('x-error-code') }).toEqual({
    status: 503,
    code: 'unavailable',
  });
  await expectClaimed();
  expect(await trouble()).toMatchObject({ attempts: 1 });
  await rows(app, 'drop trigger refuse on permit');
  expect((await claim(app, buyer, [bytes, bad])).status).toBe(200);
  expect(await trouble()).toMatchObject({ set_aside: null });
});

it('alone in its run, it is set aside all the same', async () => {
  await refuseToStore();
  expect((await claim(app, buyer, [bad])).status).toBe(503);
  expect(await trouble()).toMatchObject({ attempts: 1, set_aside: 'this permit can not be stored' });
});
