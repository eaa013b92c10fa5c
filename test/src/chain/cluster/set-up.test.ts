import { readProgramCode } from '@fan-api/ticket-program/local-program';
import { Keypair, PublicKey, SystemProgram, VersionedTransaction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { landSigned, runAdminTransaction } from '../../../../src/chain/cluster/admin-transaction.ts';
import { deployProgram } from '../../../../src/chain/cluster/deploy-program.ts';
import { initializeProgram } from '../../../../src/chain/cluster/initialize-program.ts';
import type { Cluster } from '../../../../src/chain/cluster/open-cluster.ts';
import { readClusterStatus } from '../../../../src/chain/cluster/read-cluster-status.ts';
import { rotateAuthority } from '../../../../src/chain/cluster/rotate-authority.ts';
import { setupApp, signerOf } from './test-cluster.ts';

/** From an empty cluster to one that works. The tests run in this order, as an operator does. */
const app = setupApp();
const CODE = readProgramCode();
const report = () => {};
const status = async () => readClusterStatus(app.context(), await app.cluster(), CODE);
const faults = async () => (await status()).missing.map(({ what, mend }) => `${what} ${mend}`);

/** Deploys as the admin, with the code of the program. */
async function deploy(changes: Partial<Parameters<typeof deployProgram>[2]> = {}, cluster?: Cluster) {
  const options = { code: CODE, admin: signerOf(app.admin), report, ...changes };
  return deployProgram(cluster ?? (await app.cluster()), app.runtime.signer, options);
}

function signedBy(unsigned: string, ...keys: Keypair[]): string {
  const transaction = VersionedTransaction.deserialize(Buffer.from(unsigned, 'base64'));
  transaction.sign(keys);
  return Buffer.from(transaction.serialize()).toString('base64');
}

describe('deploy', () => {
  it('the status names the command to begin with', async () => {
    expect(await faults()).toEqual([expect.stringMatching(/not deployed.* chain -- deploy --mode sandbox --keypair/)]);
    expect(await status()).toMatchObject({
      program: { state: 'absent' },
      config: undefined,
      payer: { level: 'enough' },
    });
  });

  it('initialize and rotate before it say what comes first', async () => {
    const { signer } = app.runtime;
    const admin = signerOf(app.admin);
    await expect(initializeProgram(await app.cluster(), signer, admin)).rejects.toThrow(/First: .* chain -- deploy/);
    await expect(rotateAuthority(app.context(), await app.cluster(), admin)).rejects.toThrow(/First: .* initialize/);
  });

  it('needs the key of the address, and of no other', async () => {
    const cluster = await app.cluster();
    await expect(deploy()).rejects.toThrow(/--program-keypair FILE/);
    const program = signerOf(Keypair.generate());
    const refusal = `${program.address}, but SANDBOX_PROGRAM_ID is ${cluster.programId}`;
    await expect(deploy({ program })).rejects.toThrow(refusal);
  });

  it('goes on after an interruption with what is missing, and deploys', async () => {
    const cluster = await app.cluster();
    let sent = 0;
    const interrupted = {
      ...cluster.gateway,
      submit: (bytes: Uint8Array, notBefore?: number) => {
        sent += 1;
        if (sent > 5) return Promise.reject(new Error('the power went'));
        return cluster.gateway.submit(bytes, notBefore);
      },
    };
    const program = signerOf(app.program);
    await expect(deploy({ program }, { ...cluster, gateway: interrupted })).rejects.toThrow('the power went');
    const lines: string[] = [];
    const again = await deploy({ program, report: (line) => void lines.push(line) });
    expect(again).toEqual({ done: expect.any(String) });
    expect(lines.at(-1)).toMatch(/^code written: (\d+) of \1 parts$/);
    const upgradeAuthority = app.admin.publicKey.toBase58();
    expect(await status()).toMatchObject({ program: { state: 'deployed', upgradeAuthority }, codeIsCurrent: true });
  });

  it('again changes nothing', async () => {
    const cluster = await app.cluster();
    const before = (await cluster.gateway.account(cluster.payer))?.lamports;
    expect(await deploy()).toEqual({ done: expect.stringMatching(/already/) });
    expect((await cluster.gateway.account(cluster.payer))?.lamports).toBe(before);
  });
});

describe('initialize', () => {
  it('is refused for another key than the upgrade authority', async () => {
    const stranger = signerOf(Keypair.generate());
    await expect(initializeProgram(await app.cluster(), app.runtime.signer, stranger)).rejects.toThrow(
      `is ${app.admin.publicKey.toBase58()}. Only that key can initialize it.`,
    );
  });

  it('offline: the admin signs a transaction that waits, without any lamports of its own', async () => {
    expect(await faults()).toEqual([expect.stringMatching(/no configuration.* chain -- initialize --mode sandbox/)]);
    const cluster = await app.cluster();
    const address = app.admin.publicKey.toBase58();
    expect(await cluster.gateway.account(address)).toBeUndefined();
    const outcome = await initializeProgram(cluster, app.runtime.signer, { address });
    if (!('unsigned' in outcome)) throw new Error('the admin did not sign');
    await expect(landSigned(cluster, outcome.unsigned)).rejects.toThrow(/signature/);
    expect(await cluster.gateway.config()).toBeUndefined();
    const signed = signedBy(outcome.unsigned, app.admin);
    const signature = await landSigned(cluster, signed);
    expect(await cluster.gateway.config()).toMatchObject({
      authority: cluster.authority,
      admin: address,
      payer: cluster.payer,
    });
    expect(await faults()).toEqual([]);
    // the same once more is the same
    expect(await landSigned(cluster, signed)).toBe(signature);
  });

  it('again changes nothing', async () => {
    const outcome = await initializeProgram(await app.cluster(), app.runtime.signer, signerOf(app.admin));
    expect(outcome).toEqual({ done: 'The program has our authority already.' });
  });
});

describe('--signed', () => {
  it('what is no transaction, or one that others pay, is refused', async () => {
    const cluster = await app.cluster();
    await expect(landSigned(cluster, 'AAAA')).rejects.toThrow(/can't be sent/);
    const theirs = { ...cluster, payer: Keypair.generate().publicKey.toBase58() };
    const outcome = await rotateAuthority(app.context(), cluster, { address: app.admin.publicKey.toBase58() });
    if (!('unsigned' in outcome)) throw new Error('the admin did not sign');
    await expect(landSigned(theirs, outcome.unsigned)).rejects.toThrow(/another address pays/);
  });

  it('of two transactions given out, one is void once the other has landed', async () => {
    const admin = { address: app.admin.publicKey.toBase58() };
    const cluster = await app.cluster();
    const rotation = await rotateAuthority(app.context(), cluster, admin);
    const lamports = 1_000_000;
    const toPubkey = app.admin.publicKey;
    const instructions = [SystemProgram.transfer({ fromPubkey: new PublicKey(cluster.payer), toPubkey, lamports })];
    const plan = { instructions, ours: [], outside: [admin] };
    const payment = await runAdminTransaction(cluster, app.runtime.signer, plan);
    if (!('unsigned' in rotation && 'unsigned' in payment)) throw new Error('the admin did not sign');
    await landSigned(cluster, payment.unsigned);
    const late = landSigned(cluster, signedBy(rotation.unsigned, app.admin));
    await expect(late).rejects.toThrow(/is void: another was sent/);
  });
});

describe('an upgrade', () => {
  const CHANGED = Buffer.concat([CODE, Uint8Array.of(1)]);

  it('only the upgrade authority may make it', async () => {
    const admin = signerOf(Keypair.generate());
    await expect(deploy({ code: CHANGED, admin })).rejects.toThrow(/can't upgrade it/);
  });

  it('trailing zeros are no other code', async () => {
    const code = Buffer.concat([CODE, Buffer.alloc(64, 0)]);
    expect(await deploy({ code })).toEqual({ done: expect.stringMatching(/already/) });
  });

  it('code that is larger than its account is refused before anything is sent', async () => {
    const code = Buffer.concat([CODE, Buffer.alloc(CODE.length, 1), CODE]);
    const refusal = `solana program extend ${app.program.publicKey.toBase58()} ${CODE.length}`;
    await expect(deploy({ code })).rejects.toThrow(refusal);
  });

  it('where the payer has too little, the command says how much is missing and where to send it', async () => {
    const cluster = { ...(await app.cluster()), payer: Keypair.generate().publicKey.toBase58() };
    const refusal = new RegExp(`takes up to 0\\.\\d+ SOL, and the payer ${cluster.payer} has 0\\.`);
    await expect(deploy({ code: CHANGED }, cluster)).rejects.toThrow(refusal);
  });
});
