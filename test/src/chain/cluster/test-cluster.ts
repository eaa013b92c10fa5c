import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, inject } from 'vitest';
import { startHostedNetwork } from '../../../../packages/localnet/test/hosted-network.ts';
import type { TestNetwork } from '../../../../packages/localnet/test/test-network.ts';
import { type OutsideSigner, readKeypairFile } from '../../../../src/chain/cluster/keypair-file.ts';
import { type Cluster, openCluster } from '../../../../src/chain/cluster/open-cluster.ts';
import { CHILD_ENV } from '../../../support/child-env.ts';
import { startApp, type TestApp } from '../../../support/start-app.ts';

/** The service over a cluster with nothing of ours on it, and the keys that the company holds. */
export interface SetupApp extends TestApp {
  network: TestNetwork;
  program: Keypair;
  admin: Keypair;
  /** As the commands open it. */
  cluster(): Promise<Cluster>;
}

/** One for a test file. */
export function setupApp(): SetupApp {
  const holder = {} as SetupApp;
  beforeAll(async () => {
    const network = await startHostedNetwork({ withProgram: false });
    const program = Keypair.generate();
    const env = { SANDBOX_RPC_URL: network.url, SANDBOX_PROGRAM_ID: program.publicKey.toBase58() };
    const app = await startApp({ env });
    const cluster = () => openCluster(app.context(), 'sandbox');
    const { payer } = await cluster();
    await network.connection.requestAirdrop(new PublicKey(payer), 10 * LAMPORTS_PER_SOL);
    Object.assign(holder, app, { network, program, admin: Keypair.generate(), cluster });
  });
  afterAll(async () => {
    await holder.stop();
    await holder.network.remove();
  });
  return holder;
}

/** A keypair file as `solana-keygen` writes it. */
export function keypairFile(keypair: Keypair): string {
  const path = join(mkdtempSync(join(inject('runFolder'), 'keypair-')), 'id.json');
  writeFileSync(path, JSON.stringify([...keypair.secretKey]));
  return path;
}

/** A keypair as the commands read it. */
export function signerOf(keypair: Keypair): Required<OutsideSigner> {
  return readKeypairFile(keypairFile(keypair));
}

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** `npm run chain` as a process of its own, with the database and the sandbox of an app. */
export function runChain(
  { config }: Pick<TestApp, 'config'>,
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const { databaseUrl, keyEncryptionKey, chains } = config;
  const known = {
    ...CHILD_ENV,
    DATABASE_URL: databaseUrl,
    KEY_ENCRYPTION_KEY: keyEncryptionKey?.export().toString('base64url'),
    SANDBOX_RPC_URL: chains.sandbox.rpcUrl,
    SANDBOX_PROGRAM_ID: chains.sandbox.programId,
    PRODUCTION_RPC_URL: chains.production.rpcUrl ?? '',
    PRODUCTION_PROGRAM_ID: chains.production.programId ?? '',
  };
  const command = join(import.meta.dirname, '../../../../adapters/commands/chain.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...words], { env: { ...known, ...env } }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}
