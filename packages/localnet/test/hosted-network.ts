import { Connection, Keypair } from '@solana/web3.js';
import { afterAll, inject, test } from 'vitest';
import type { LocalnetOptions } from '../src/start-localnet.ts';
import { AT_ONCE, base64, rpc, type TestNetwork, testNetwork, transferBytes } from './test-network.ts';

/** Of a network in the run's host. The ticket program is there unless `withProgram` is false. */
export interface HostedOptions extends Pick<LocalnetOptions, 'delays' | 'slotDuration'> {
  withProgram?: boolean;
}

/** A network in the process that hosts those of the whole run (`network-host.ts`); final at once unless delays are given,
 * and forkable. */
export async function startHostedNetwork(options: HostedOptions = {}): Promise<TestNetwork> {
  const host = inject('networkHost');
  const response = await fetch(host, { method: 'POST', body: JSON.stringify({ delays: AT_ONCE, ...options }) });
  if (!response.ok) throw new Error(await response.text());
  const { url, port } = (await response.json()) as { url: string; port: number };
  const stop = async () => {
    await fetch(new URL(`/${port}`, host), { method: 'DELETE' });
  };
  return testNetwork({ url, port, stop }, new Connection(url, 'confirmed'));
}

/**
 * A network without a program for all tests of a file. `test` has what each test needs for itself: a payer with ten SOL, a new address,
 * and a transfer of 1,000,000 lamports from the one to the other, signed with the newest blockhash.
 */
export async function networkStage(options: HostedOptions = {}) {
  const network = await startHostedNetwork({ withProgram: false, ...options });
  afterAll(network.remove);
  const { connection } = network;
  const newest = async () => (await connection.getLatestBlockhash()).blockhash;
  return {
    network,
    connection,
    newest,
    call: (method: string, params: unknown[] = []) => rpc(network.url, method, params),
    passSlots: (count: number) => rpc(network.url, 'passSlots', [count]),
    /** Sends a transaction by JSON-RPC, for the exact error. */
    send: (bytes: Uint8Array, config: object = {}) =>
      rpc(network.url, 'sendTransaction', [base64(bytes), { encoding: 'base64', ...config }]),
    simulate: (bytes: Uint8Array, config: object = {}) =>
      rpc(network.url, 'simulateTransaction', [base64(bytes), { encoding: 'base64', ...config }]),
    test: test
      .extend('payer', () => network.funded())
      .extend('to', () => Keypair.generate().publicKey)
      .extend('bytes', async ({ payer, to }) => transferBytes(payer, to, 1_000_000, await newest())),
  };
}
