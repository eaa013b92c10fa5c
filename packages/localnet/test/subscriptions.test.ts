import { Keypair } from '@solana/web3.js';
import { describe, expect } from 'vitest';
import { networkStage } from './hosted-network.ts';
import { openSocket, signatureIn, subscribed, transferBytes, until } from './test-network.ts';

const { network, connection, newest, test } = await networkStage();

describe('WebSocket of the local network', () => {
  test('onAccountChange reports each change of the account, and none of others', async ({ payer, to }) => {
    const seen: number[] = [];
    const id = connection.onAccountChange(to, ({ lamports }) => seen.push(lamports));
    await subscribed(connection);
    await connection.sendRawTransaction(transferBytes(payer, to, 1_000_000, await newest()));
    await connection.sendRawTransaction(transferBytes(payer, Keypair.generate().publicKey, 1_000_000, await newest()));
    await connection.sendRawTransaction(transferBytes(payer, to, 1_000_001, await newest()));
    await until(() => seen.length === 2);
    expect(seen).toEqual([1_000_000, 2_000_001]);
    await connection.removeAccountChangeListener(id);
    await connection.sendRawTransaction(transferBytes(payer, to, 1_000_002, await newest()));
    await subscribed(connection);
    expect(seen).toHaveLength(2);
  });

  test('a transaction that failed on chain is reported with its error, and only the account of its payer changed', async ({
    payer,
    to,
  }) => {
    const bytes = transferBytes(payer, to, 20_000_000_000, await newest());
    const results: unknown[] = [];
    const balances: number[] = [];
    const unchanged: unknown[] = [];
    connection.onSignature(signatureIn(bytes), ({ err }) => results.push(err));
    connection.onAccountChange(payer.publicKey, ({ lamports }) => balances.push(lamports));
    connection.onAccountChange(to, (account) => unchanged.push(account));
    await subscribed(connection);
    await connection.sendRawTransaction(bytes, { skipPreflight: true });
    await until(() => results.length === 1 && balances.length === 1);
    expect(results).toEqual([{ InstructionError: [0, { Custom: 1 }] }]);
    expect(balances).toEqual([10_000_000_000 - 5_000]);
    expect(unchanged).toEqual([]);
  });

  test('onLogs reports what mentions an address, and nothing else', async ({ payer, to }) => {
    const logs: string[] = [];
    const others: string[] = [];
    connection.onLogs(to, ({ signature }) => logs.push(signature));
    connection.onLogs(Keypair.generate().publicKey, ({ signature }) => others.push(signature));
    await subscribed(connection);
    const signature = await connection.sendRawTransaction(transferBytes(payer, to, 1_000_000, await newest()));
    await until(() => logs.length === 1);
    expect(logs).toEqual([signature]);
    expect(others).toEqual([]);
  });

  test('both ports speak WebSocket; a ping without id is left unanswered, an unknown method is not', async () => {
    for (const port of [network.port, network.port + 1]) {
      const { socket, received, ask } = await openSocket<{ id: number; error?: { code: number } }>(port);
      ask(undefined, 'ping');
      ask(7, 'blockSubscribe', ['all']);
      ask(9, 'rootSubscribe');
      ask(8, 'accountUnsubscribe', [99]);
      socket.send('{');
      await until(() => received.length === 4);
      expect(received.map(({ id, error }) => [id, error?.code])).toEqual([
        [7, -32601],
        [9, -32601],
        [8, -32602],
        [null, -32700],
      ]);
      socket.close();
    }
    expect((await fetch(`http://127.0.0.1:${network.port + 1}`)).status).toBe(426);
  });

  test('a signature subscription ends by itself with its one notification', async ({ bytes }) => {
    await connection.sendRawTransaction(bytes);
    type Message = { id?: number; result?: number; method?: string; error?: { code: number } };
    const { socket, received, ask } = await openSocket<Message>(network.port);
    ask(1, 'signatureSubscribe', [signatureIn(bytes)]);
    await until(() => received.length === 2);
    expect(received[1]?.method).toBe('signatureNotification');
    ask(2, 'signatureUnsubscribe', [received[0]?.result]);
    await until(() => received.length === 3);
    expect(received[2]?.error?.code).toBe(-32602);
    socket.close();
  });

  test('a client whose connection breaks does not disturb the others', async ({ to, bytes }) => {
    const { socket, received, ask } = await openSocket(network.port);
    ask(1, 'accountSubscribe', [to.toBase58()]);
    await until(() => received.length === 1);
    socket.terminate();
    await connection.sendRawTransaction(bytes);
    expect(await connection.getBalance(to)).toBe(1_000_000);
  });
});
