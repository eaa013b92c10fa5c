import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChainGateway } from '../../../../src/chain/gateway/gateway.ts';
import { requireReadable } from '../../../../src/chain/gateway/read-accounts.ts';
import { encodeAccount } from '../../../../src/chain/instruction/account-data.ts';
import { moreTickets, type TestTicket } from '../../../support/chain-app.ts';
import { only, type RpcReply } from '../../../support/rpc-proxy.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { randomAddress } from '../../../support/ticket-transactions.ts';

/** One account that can't be decoded says nothing about the others of its page. */
let gateway: ChainGateway;
let sound: TestTicket;
let bad: TestTicket;
const app = await testChainApp();
beforeAll(async () => {
  gateway = app.chain.gateway;
  [sound, bad] = (await moreTickets(app, app.users[0], { count: 2 })) as [TestTicket, TestTicket];
});
afterEach(() => app.proxy.reset());

interface Given {
  context: { slot: unknown };
  value: ({ owner: unknown; data: unknown } | null)[];
}

/** The node's page with its second account bent. */
function bend(change: (account: { owner: unknown; data: unknown }) => unknown): void {
  app.proxy.setRule(
    only((reply): RpcReply => {
      const { context, value } = reply.result as Given;
      return { result: { context, value: value.map((each, at) => (at === 1 && each ? change(each) : each)) } };
    }, 'getMultipleAccounts'),
  );
}

const PERMIT = {
  event: randomAddress(),
  ticket_id: new Uint8Array(32),
  owner: randomAddress(),
  state: 0,
  marketplace: randomAddress(),
  price: 0n,
  bump: 255,
};

const encoded = (bytes: Uint8Array) => [Buffer.from(bytes).toString('base64'), 'base64'];

function flipped(data: unknown, offset: number): unknown {
  const bytes = Buffer.from((data as string[])[0] ?? '', 'base64');
  bytes[offset] = (bytes[offset] ?? 0) ^ 0xff;
  return encoded(bytes);
}

describe('permits are read each for itself', () => {
  it.each<[string, 'other' | 'malformed', RegExp, (account: { owner: unknown; data: unknown }) => unknown]>([
    ['another discriminator', 'malformed', /no Permit/, (a) => ({ ...a, data: flipped(a.data, 0) })],
    ['another length', 'malformed', /Permit of 147 bytes/, (a) => ({ ...a, data: encoded(longer()) })],
    ['no data', 'malformed', /no Permit/, (a) => ({ ...a, data: ['', 'base64'] })],
    [
      'an unknown state',
      'malformed',
      /permit state 7/,
      (a) => ({ ...a, data: encoded(encodeAccount('Permit', { ...PERMIT, state: 7 })) }),
    ],
    ['another encoding', 'malformed', /form/, (a) => ({ ...a, data: ['z', 'base58'] })],
    ['no owner', 'malformed', /form/, (a) => ({ data: a.data })],
    ['a number in its place', 'malformed', /form/, () => 7],
    ['another owner', 'other', /belongs to the program/, (a) => ({ ...a, owner: randomAddress() })],
    [
      'the System program as its owner, and data',
      'other',
      /belongs to the program 1111/,
      (a) => ({ ...a, owner: '1'.repeat(32) }),
    ],
    [
      'an Event in its place',
      'other',
      /kind Event/,
      (a) => ({
        ...a,
        data: encoded(encodeAccount('Event', { event_id: new Uint8Array(32), organiser: PERMIT.owner, bump: 1 })),
      }),
    ],
  ])('%s: this one is unreadable (%s), the other one is read', async (_, kind, reason, change) => {
    bend(change);
    const [first, second] = await gateway.permits([sound.permit, bad.permit]);
    expect(first).toMatchObject({ owner: app.users[0].wallet_address, state: 'held' });
    expect(second).toEqual({ unreadable: kind, reason: expect.stringMatching(reason) });
  });

  function longer(): Buffer {
    return Buffer.concat([encodeAccount('Permit', PERMIT), Buffer.alloc(1)]);
  }

  it('lamports that somebody sent to an address before its account is made are no account', async () => {
    bend(() => ({ owner: '1'.repeat(32), data: ['', 'base64'] }));
    expect(await gateway.permits([sound.permit, bad.permit])).toMatchObject([{ state: 'held' }, undefined]);
  });

  it('an address that is none is not sent to the node, which would refuse the whole page', async () => {
    const readings = await gateway.permits(['no address', sound.permit, 'l'.repeat(44)]);
    expect(readings).toMatchObject([{ unreadable: 'malformed' }, { state: 'held' }, { unreadable: 'malformed' }]);
    expect(app.proxy.calls.map(({ params }) => params[0])).toEqual([[sound.permit]]);
  });

  it('a page with more or fewer accounts than asked for belongs to nobody', async () => {
    app.proxy.setRule(
      only(({ result }) => {
        const { context, value } = result as Given;
        return { result: { context, value: value.slice(1) } };
      }, 'getMultipleAccounts'),
    );
    await expect(gateway.permits([sound.permit, bad.permit])).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each([1e300, -1, 1.5, '7', null])('a slot of %s is no slot', async (slot) => {
    app.proxy.setRule(
      only(({ result }) => ({ result: { ...(result as Given), context: { slot } } }), 'getMultipleAccounts'),
    );
    await expect(gateway.permits([sound.permit])).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('whoever was given the address: a malformed account is the node’s fault, another account is no permit', () => {
    const reason = 'for a test';
    expect(requireReadable(undefined)).toBeUndefined();
    expect(requireReadable({ unreadable: 'other', reason })).toBeUndefined();
    expect(() => requireReadable({ unreadable: 'malformed', reason })).toThrow(
      expect.objectContaining({ code: 'unavailable', retryAfter: 5 }),
    );
  });
});

describe('other accounts', () => {
  it('events are read each for itself', async () => {
    expect(await gateway.events([sound.tixEventId, sound.permit, randomAddress()])).toMatchObject([
      { event_id: expect.anything() },
      { unreadable: 'other' },
      undefined,
    ]);
  });

  it('a configuration that can not be decoded is the node’s fault', async () => {
    expect(await gateway.config()).toMatchObject({ authority: app.chain.authority });
    const { address } = configAddress(app.chain.programId);
    app.proxy.setRule(({ params }) => {
      expect(params[0]).toEqual([address]);
      const account = { owner: app.chain.programId, data: ['AAAA', 'base64'] };
      return { reply: { result: { context: { slot: 1 }, value: [account] } } };
    });
    await expect(gateway.config()).rejects.toMatchObject({ code: 'unavailable' });
  });
});
