import { Connection } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestNetwork, type TestNetwork, until } from './test-network.ts';

describe('slots of the commitments of the local network', () => {
  let network: TestNetwork;
  beforeAll(async () => {
    network = await startTestNetwork({ slotDuration: 100, delays: { confirmed: 4, finalized: 12 } });
    await until(async () => (await network.connection.getSlot('processed')) > 20);
  });
  afterAll(() => network.remove());

  test('rootSubscribe tells each finalized slot once and in order, slotSubscribe each slot with its root', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${network.port}`);
    await new Promise((resolve) => socket.once('open', resolve));
    const roots: number[] = [];
    const slots: { slot: number; parent: number; root: number }[] = [];
    socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      if (message.method === 'rootNotification') roots.push(message.params.result);
      if (message.method === 'slotNotification') slots.push(message.params.result);
    });
    for (const method of ['rootSubscribe', 'slotSubscribe']) {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: method, method }));
    }
    await until(() => roots.length >= 5 && slots.length >= 5);
    expect(roots).toEqual(roots.map((_, index) => (roots[0] ?? 0) + index));
    expect(slots.map(({ slot }) => slot)).toEqual(slots.map((_, index) => (slots[0]?.slot ?? 0) + index));
    for (const { slot, parent, root } of slots) {
      expect(parent).toBe(slot - 1);
      expect(slot - root).toBeGreaterThanOrEqual(12);
    }
    socket.close();
  });

  test('the delays of a cluster are the default: some 13 seconds to the end', async () => {
    const ordinary = await startTestNetwork({ delays: undefined });
    try {
      const connection = new Connection(ordinary.url);
      await until(async () => (await connection.getSlot('processed')) > 4);
      const [processed, confirmed] = [await connection.getSlot('processed'), await connection.getSlot('confirmed')];
      expect(processed - confirmed).toBeLessThanOrEqual(2);
      expect(await connection.getSlot('finalized')).toBe(0);
    } finally {
      await ordinary.remove();
    }
  });
});
