import { writeFileSync } from 'node:fs';
import { Connection, type Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { expect } from 'vitest';
import type { Mode } from '../../../src/platform/mode.ts';
import { keypairFile, runChain } from '../../src/chain/cluster/test-cluster.ts';
import type { TestApp } from '../../support/start-app.ts';
import { fund } from './foreign-cluster.ts';

/** The keys that the company holds. */
export interface CompanyKeys {
  readonly program: Keypair;
  readonly admin: Keypair;
  /** Of the admin. */
  readonly adminFile: string;
}

/** Brings the program onto the cluster of a mode by `chain keys`, `status`, `deploy` and `initialize`, the last one offline. */
export async function setUpProgram(
  app: TestApp,
  mode: Mode,
  { program, admin, adminFile }: CompanyKeys,
): Promise<void> {
  const run = (...words: string[]) => runChain(app, [...words, '--mode', mode]);
  const keys = await run('keys');
  const payer = /payer +(\w+)/.exec(keys.stdout)?.[1] ?? '';
  expect(await run('status')).toMatchObject({ code: 1, stdout: expect.stringContaining('The payer can spend 0 SOL.') });
  const poor = await run('deploy', '--keypair', adminFile, '--program-keypair', keypairFile(program));
  expect(poor).toMatchObject({ code: 1, stderr: expect.stringMatching(/takes up to 0\.\d+ SOL/) });
  await fund(new Connection(app.config.chains[mode].rpcUrl ?? '', 'confirmed'), new PublicKey(payer));

  const deployed = await run('deploy', '--keypair', adminFile, '--program-keypair', keypairFile(program));
  expect(deployed, deployed.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Done: \w+\n$/) });
  const unsigned = await run('initialize', '--unsigned', admin.publicKey.toBase58());
  expect(unsigned.code, unsigned.stderr).toBe(0);
  const transaction = VersionedTransaction.deserialize(Buffer.from(unsigned.stdout, 'base64'));
  transaction.sign([admin]);
  const signed = `${adminFile}.signed`;
  writeFileSync(signed, Buffer.from(transaction.serialize()).toString('base64'));
  const initialized = await run('initialize', '--signed', signed);
  expect(initialized, initialized.stderr).toMatchObject({ code: 0 });
  expect(await run('status')).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nReady\.\n$/) });
}
