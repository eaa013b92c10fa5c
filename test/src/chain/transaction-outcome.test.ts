import { describe, expect, it } from 'vitest';
import { unavailable } from '../../../src/chain/gateway/ask.ts';
import type { TransactionStatus } from '../../../src/chain/gateway/read-statuses.ts';
import {
  type Lifetime,
  type OutcomeGateway,
  readOutcome,
  readOutcomes,
} from '../../../src/chain/transaction-outcome.ts';

/** The proof that a transaction can never land, condition by condition. With a real node: the tests of claims, moves and issuing. */
interface Node {
  /** What a node says of every blockhash, or why it does not. */
  validity?: { recent: boolean; slot: number } | Error;
  status?: TransactionStatus;
}

function gatewayOf({ validity = { recent: true, slot: 10 }, status = unknownAt(10) }: Node, asked: string[] = []) {
  const gateway: OutcomeGateway = {
    async blockhash(blockhash) {
      asked.push('blockhash');
      if (validity instanceof Error && blockhash !== 'good') throw validity;
      return validity instanceof Error ? { recent: true, slot: 10 } : validity;
    },
    async statuses(signatures) {
      asked.push('statuses');
      return signatures.map(() => status);
    },
  };
  return gateway;
}

const unknownAt = (slot: number): TransactionStatus => ({ state: 'unknown', slot });
const lifetime: Lifetime = { blockhash: 'hash', validAt: 100 };
const outcomeOf = (node: Node, lived: Lifetime | undefined = lifetime) =>
  readOutcome(gatewayOf(node), { signature: 'one', ...(lived && { lifetime: lived }) });

describe('a transaction that no node has', () => {
  it('will never land where its blockhash is over and a status read after that does not show it', async () => {
    const node = { validity: { recent: false, slot: 300 }, status: unknownAt(300) };
    expect(await outcomeOf(node)).toEqual({ is: 'never', slot: 300 });
  });

  it.each<[why: string, node: Node]>([
    ['its blockhash is valid', { validity: { recent: true, slot: 300 }, status: unknownAt(300) }],
    [
      'the node that calls the blockhash over lags behind it',
      { validity: { recent: false, slot: 99 }, status: unknownAt(300) },
    ],
    [
      'the status is older than the end of the blockhash',
      { validity: { recent: false, slot: 300 }, status: unknownAt(299) },
    ],
  ])('may land where %s', async (_, node) => {
    expect(await outcomeOf(node)).toEqual({ is: 'open', isSeen: false });
  });

  it.each<[height: number, statusAt: number, outcome: object]>([
    [501, 700, { is: 'never', slot: 700 }],
    [500, 700, { is: 'open', isSeen: false }],
    [501, 699, { is: 'open', isSeen: false }],
  ])('ends by the height of the newest final block: at %d, with a status of slot %d', async (height, slot, outcome) => {
    const lived = { lastValidHeight: 500, finality: { slot: 700, height } };
    expect(await outcomeOf({ status: unknownAt(slot) }, lived)).toEqual(outcome);
  });

  it('may land where nobody says for how long it lives', async () => {
    expect(await readOutcome(gatewayOf({}), { signature: 'one' })).toEqual({ is: 'open', isSeen: false });
  });
});

it.each<[status: TransactionStatus, outcome: object]>([
  [
    { state: 'confirmed', slot: 200, final: true },
    { is: 'landed', slot: 200, final: true },
  ],
  [
    { state: 'failed', slot: 200, reason: 'no lamports' },
    { is: 'failed', reason: 'no lamports' },
  ],
  [
    { state: 'processing', slot: 200, failing: true },
    { is: 'open', isSeen: true },
  ],
])('what the cluster has decided counts, whatever the blockhash: %o', async (status, outcome) => {
  expect(await outcomeOf({ validity: { recent: false, slot: 300 }, status })).toEqual(outcome);
  expect(await outcomeOf({ validity: new Error('no answer'), status })).toEqual(outcome);
});

it('the lifetime is asked for before the status: between the two, it could land', async () => {
  const asked: string[] = [];
  await readOutcome(gatewayOf({}, asked), { signature: 'one', lifetime });
  expect(asked).toEqual(['blockhash', 'statuses']);
});

it('where one blockhash can’t be read, that transaction is unclear, and the other has its answer', async () => {
  const fault = unavailable();
  const good = { signature: 'two', lifetime: { blockhash: 'good', validAt: 0 } };
  const outcomes = await readOutcomes(gatewayOf({ validity: fault }), [{ signature: 'one', lifetime }, good]);
  expect(outcomes).toEqual([
    { is: 'unclear', fault },
    { is: 'open', isSeen: false },
  ]);
});

it('a cluster that is away is asked no second question', async () => {
  const asked: string[] = [];
  const gateway = gatewayOf({ validity: unavailable() }, asked);
  await expect(readOutcomes(gateway, [{ signature: 'one', lifetime }])).rejects.toThrow(/can not be reached/);
  expect(asked).toEqual(['blockhash']);
});
