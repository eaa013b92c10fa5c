import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommitmentDelays } from '@fan-api/solana-wire/local-network';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  type PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { WebSocket } from 'ws';
import { serveNetwork } from '../src/serve-network.ts';
import { type Localnet, type LocalnetOptions, startLocalnet } from '../src/start-localnet.ts';

export interface TestNetwork extends Localnet {
  connection: Connection;
  /** A new wallet with ten SOL. */
  funded(): Promise<Keypair>;
  /** Stops it, and removes what it kept. */
  remove(): Promise<void>;
}

/** A network in the process of its test, which reads what it kept. */
export interface OwnNetwork extends TestNetwork {
  dataDir: string;
}

/** So long that only `passSlots` lets a slot pass. */
export const STANDING_STILL = 3_600_000;

/** Every commitment at once: what a test does not ask about, it need not wait for. */
export const AT_ONCE: CommitmentDelays = { confirmed: 0, finalized: 0 };

/** A network on a free port in the process of its test, final at once; in a folder of its own unless `dataDir` is given. */
export async function startTestNetwork(options: Partial<LocalnetOptions> = {}): Promise<OwnNetwork> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'localnet-')));
  const network = await startLocalnet({
    port: 0,
    programs: [],
    delays: AT_ONCE,
    forkable: true,
    run: serveNetwork,
    ...options,
    dataDir,
  });
  const test = testNetwork(network, new Connection(network.url, 'confirmed'));
  return {
    ...test,
    dataDir,
    async remove() {
      await test.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A network as tests use it. */
export function testNetwork(network: Localnet, connection: Connection): TestNetwork {
  return {
    ...network,
    connection,
    async funded() {
      const wallet = Keypair.generate();
      await connection.requestAirdrop(wallet.publicKey, 10 * LAMPORTS_PER_SOL);
      return wallet;
    },
    async remove() {
      stopReconnecting(connection);
      await network.stop();
    },
  };
}

/** web3.js has no public way to close a Connection, and would look for the stopped network for ever. */
function stopReconnecting(connection: Connection): void {
  const { _rpcWebSocket: socket } = connection as unknown as {
    _rpcWebSocket: { setAutoReconnect(reconnect: boolean): void };
  };
  socket.setAutoReconnect(false);
}

/** A signed version 0 transfer, ready to send. */
export function transferBytes(from: Keypair, to: PublicKey, lamports: number, blockhash: string): Uint8Array {
  const instructions = [SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports })];
  const message = new TransactionMessage({ payerKey: from.publicKey, recentBlockhash: blockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([from]);
  return transaction.serialize();
}

/** The name a transaction will have. */
export function signatureIn(bytes: Uint8Array): string {
  return bs58.encode(bytes.subarray(1, 65));
}

/** A JSON-RPC call without a client library, for the exact error. */
export async function rpc(url: string, method: string, params: unknown[] = []): Promise<RpcAnswer> {
  return (await postText(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })).then((r) =>
    r.json(),
  )) as RpcAnswer;
}

export interface RpcAnswer {
  id: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

export function postText(url: string, body: string): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/**
 * Waits until the subscriptions made so far are in place: web3.js makes them in the background, in order, so the first
 * notification of a later one tells it.
 */
export function subscribed(connection: Connection): Promise<void> {
  return new Promise((resolve) => {
    const id = connection.onSlotChange(() => {
      connection.removeSlotChangeListener(id).then(resolve, resolve);
    });
  });
}

/** A WebSocket of a network, with all that came over it. */
export async function openSocket<Message>(port: number) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  const received: Message[] = [];
  socket.on('message', (data) => received.push(JSON.parse(String(data))));
  await new Promise((resolve) => socket.once('open', resolve));
  const ask = (id: unknown, method: string, params?: unknown[]) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  return { socket, received, ask };
}

/** Waits until `check` holds. @throws after ten seconds */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; !(await check()); ) {
    if (Date.now() > end) throw new Error('waited in vain for ten seconds');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
