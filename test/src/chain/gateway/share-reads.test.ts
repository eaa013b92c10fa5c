import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ask, unavailable } from '../../../../src/chain/gateway/ask.ts';
import { shareReads } from '../../../../src/chain/gateway/share-reads.ts';

/** The time after which a call holds up no other one. On a busy machine it may pass while a test waits for nothing else. */
const PATIENCE_MS = 20;
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A node whose calls are answered when the test says so. */
function heldNode() {
  const calls: { questions: readonly number[]; answer: () => void; fail: (error: unknown) => void }[] = [];
  const read = (questions: readonly number[]) =>
    new Promise<number[]>((resolve, fail) => {
      calls.push({ questions, fail, answer: () => resolve(questions.map((question) => question * 10)) });
    });
  return { calls, read, asked: () => calls.map(({ questions }) => questions) };
}

const refusal = () => ask(async () => ({ error: { code: -32602, message: 'too many' } }), z.unknown(), 'read', []);

it('of questions of several requests the first is asked at once; those that come meanwhile are asked together, after it is answered', async () => {
  const node = heldNode();
  const shared = shareReads(node.read, 10);
  const first = shared(1);
  await sleep(0);
  const others = Promise.all([shared(2), shared(3), shared(4)]);
  await sleep(0);
  expect(node.asked()).toEqual([[1]]);
  node.calls[0]?.answer();
  expect(await first).toBe(10);
  await sleep(0);
  expect(node.asked()).toEqual([[1], [2, 3, 4]]);
  node.calls[1]?.answer();
  expect(await others).toEqual([20, 30, 40]);
});

it('a call without an answer holds up the next for a moment only', async () => {
  const node = heldNode();
  const shared = shareReads(node.read, 10);
  void shared(1);
  await sleep(0);
  const second = shared(2);
  vi.advanceTimersByTime(PATIENCE_MS - 1);
  await sleep(0);
  expect(node.asked()).toEqual([[1]]);
  vi.advanceTimersByTime(1);
  await sleep(0);
  expect(node.asked()).toEqual([[1], [2]]);
  node.calls[1]?.answer();
  expect(await second).toBe(20);
});

it('a call has no more questions than it may', async () => {
  const node = heldNode();
  const shared = shareReads(node.read, 2);
  void shared(1);
  await sleep(0);
  const others = Promise.all([shared(2), shared(3), shared(4)]);
  for (const at of [0, 1, 2]) {
    await sleep(0);
    node.calls[at]?.answer();
  }
  expect(await others).toEqual([20, 30, 40]);
  expect(node.asked()).toEqual([[1], [2, 3], [4]]);
});

it('where the node refuses them together, each is asked alone, and only the bad one fails', async () => {
  const asked: (readonly number[])[] = [];
  const shared = shareReads(async (questions: readonly number[]) => {
    asked.push(questions);
    if (questions.includes(3)) await refusal();
    return questions.map((question) => question * 10);
  }, 10);
  const answers = await Promise.allSettled([shared(2), shared(3)]);
  expect(answers).toMatchObject([
    { status: 'fulfilled', value: 20 },
    { status: 'rejected', reason: { code: 'unavailable' } },
  ]);
  expect(asked).toEqual([[2, 3], [2], [3]]);
});

it('where the node is away, all fail, and nobody asks again', async () => {
  const node = heldNode();
  const shared = shareReads(node.read, 10);
  const both = Promise.allSettled([shared(1), shared(2)]);
  await sleep(0);
  node.calls[0]?.fail(unavailable());
  for (const { status } of await both) expect(status).toBe('rejected');
  expect(node.asked()).toEqual([[1, 2]]);
});
