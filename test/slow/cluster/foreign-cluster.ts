import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Keypair, LAMPORTS_PER_SOL, type PublicKey } from '@solana/web3.js';
import { type OwnNetwork, rpc } from '../../../packages/localnet/test/test-network.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Takes a ledger folder and a port. */
const VALIDATOR = process.env.VALIDATOR ?? join(ROOT, '../shared/tools/validator');
const PORT = Number(process.env.VALIDATOR_PORT ?? 18_899);
const START_MS = 180_000;
const STOP_MS = 15_000;
const POLL_MS = 500;

/** Whether there is a cluster to run on. */
export const HAS_CLUSTER = process.env.FOREIGN_RPC_URL !== undefined || existsSync(VALIDATOR);

/** A cluster that nobody here wrote. */
export interface ForeignCluster extends OwnNetwork {
  /** Ends the validator, and starts it again with its ledger. Undefined for a cluster that is not ours to stop. */
  readonly power: { off(): Promise<void>; on(): Promise<void> } | undefined;
}

/** `FOREIGN_RPC_URL`, or a validator that starts with this and ends with `remove`. */
export async function openForeignCluster(): Promise<ForeignCluster> {
  const given = process.env.FOREIGN_RPC_URL;
  const url = given ?? `http://127.0.0.1:${PORT}`;
  const ledger = mkdtempSync(join(tmpdir(), 'validator-'));
  let validator: ChildProcess | undefined;
  const on = async () => {
    if (given === undefined) {
      if (await answers(url)) throw new Error(`${url} answers already: end what an earlier run left`);
      validator = spawn(VALIDATOR, [join(ledger, 'ledger'), String(PORT)]);
    }
    await becomesHealthy(url, validator);
  };
  const off = async () => {
    if (validator) await end(validator);
    validator = undefined;
  };
  // an interrupted run leaves none behind
  process.once('exit', () => validator?.kill('SIGKILL'));
  const stop = async () => {
    await off();
    rmSync(ledger, { recursive: true, force: true });
  };
  try {
    await on();
  } catch (error) {
    await stop();
    throw error;
  }
  const connection = new Connection(url, 'confirmed');
  return {
    url,
    port: Number(new URL(url).port),
    dataDir: ledger,
    connection,
    power: given === undefined ? { on, off } : undefined,
    async funded() {
      const wallet = Keypair.generate();
      await fund(connection, wallet.publicKey);
      return wallet;
    },
    stop,
    remove: stop,
  };
}

/** Ten SOL from the faucet, confirmed. */
export async function fund(connection: Connection, to: PublicKey): Promise<void> {
  await landing(connection, await connection.requestAirdrop(to, 10 * LAMPORTS_PER_SOL));
}

/** Waits until a transaction is confirmed. */
export async function landing(connection: Connection, signature: string): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(100)) {
    const { value } = await connection.getSignatureStatus(signature);
    if (value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized') return;
  }
  throw new Error(`${signature} did not land`);
}

const answers = (url: string) =>
  rpc(url, 'getHealth').then(
    () => true,
    () => false,
  );

async function becomesHealthy(url: string, validator: ChildProcess | undefined): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(POLL_MS)) {
    if (validator && validator.exitCode !== null) throw new Error(`the validator ended with ${validator.exitCode}`);
    const answer = await rpc(url, 'getHealth').catch(() => undefined);
    if (answer?.result === 'ok') return;
  }
  throw new Error(`${url} is not healthy`);
}

async function end(validator: ChildProcess): Promise<void> {
  if (validator.exitCode !== null || validator.signalCode !== null) return;
  const ended = once(validator, 'exit');
  validator.kill('SIGTERM');
  const timer = setTimeout(() => validator.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
