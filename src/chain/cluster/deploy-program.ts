import { PublicKey, SystemProgram } from '@solana/web3.js';
import type { DeployedProgram } from '../gateway/read-program.ts';
import type { Signer } from '../wallet/signer.ts';
import { runAdminTransaction, type StepOutcome } from './admin-transaction.ts';
import { fundAccount } from './fund-account.ts';
import type { OutsideSigner } from './keypair-file.ts';
import {
  BUFFER_HEADER,
  deployProgram as deployInstruction,
  LOADER,
  PROGRAM_ACCOUNT_BYTES,
  PROGRAM_DATA_HEADER,
  upgradeProgram,
} from './loader-instructions.ts';
import type { Cluster } from './open-cluster.ts';
import { fillBuffer } from './program-buffer.ts';
import { inSol, SetupError } from './setup-error.ts';

/** Later versions may be this many times larger without `solana program extend`. */
const ROOM_FACTOR = 2;
/** Covers the fees of all transactions of a deployment, many times over. */
const FEES = 5_000_000n;

export interface DeployOptions {
  readonly code: Uint8Array;
  /** Becomes the upgrade authority, or is it. */
  readonly admin: OutsideSigner;
  /** The key of the program's address: for the first deployment only. */
  readonly program?: OutsideSigner | undefined;
  readonly report: (line: string) => void;
}

/** Whether the code at the program's address is this one. */
export function hasCode(program: DeployedProgram, code: Uint8Array): boolean {
  if (program.state !== 'deployed') return false;
  const held = Buffer.from(program.code);
  return held.subarray(0, code.length).equals(code) && held.subarray(code.length).every((byte) => byte === 0);
}

/**
 * Deploys the ticket program through the upgradeable loader, or upgrades it. Our payer pays. Repeatable: what is done is not done
 * again, and a deployed program with the same code is left alone.
 * @throws SetupError where the keys do not fit, the payer has too little, or the cluster refuses a transaction
 */
export async function deployProgram(cluster: Cluster, signer: Signer, options: DeployOptions): Promise<StepOutcome> {
  const { code, admin, report } = options;
  const current = await cluster.gateway.program();
  if (hasCode(current, code)) return { done: 'The program is deployed with this code already.' };
  const newAccount = current.state === 'absent' ? requireProgramKey(cluster, options) : undefined;
  if (!newAccount) requireUpgradable(cluster, current, options);
  await requireFunds(cluster, code.length);
  const buffer = await fillBuffer(cluster, signer, code, admin.address, report);
  const { programId, payer } = cluster;
  const deployment = { programId, buffer, payer, upgradeAuthority: admin.address };
  if (!newAccount) {
    const instructions = [upgradeProgram(deployment)];
    return runAdminTransaction(cluster, signer, { instructions, ours: [], outside: [admin] });
  }
  const instructions = [
    ...(await createProgramAccount(cluster)),
    deployInstruction(deployment, code.length * ROOM_FACTOR),
  ];
  return runAdminTransaction(cluster, signer, { instructions, ours: [], outside: [newAccount, admin] });
}

function requireProgramKey({ programId, mode }: Cluster, { program }: DeployOptions): OutsideSigner {
  if (program === undefined) {
    throw new SetupError(
      `Nothing is deployed at ${programId} yet: give the keypair of that address with --program-keypair FILE.`,
    );
  }
  if (program.address !== programId) {
    throw new SetupError(
      `--program-keypair is that of ${program.address}, but ${mode.toUpperCase()}_PROGRAM_ID is ${programId}.`,
    );
  }
  return program;
}

function requireUpgradable({ programId }: Cluster, current: DeployedProgram, { admin, code }: DeployOptions): void {
  if (current.state !== 'deployed') {
    throw new SetupError(`The account at ${programId} is no program that can be upgraded. Use another address.`);
  }
  if (current.upgradeAuthority !== admin.address) {
    const who = current.upgradeAuthority ?? 'nobody: it is immutable';
    throw new SetupError(`The upgrade authority of ${programId} is ${who}. ${admin.address} can't upgrade it.`);
  }
  if (current.code.length < code.length) {
    throw new SetupError(
      `The program has room for ${current.code.length} bytes of code and needs ${code.length}. First run: ` +
        `solana program extend ${programId} ${code.length - current.code.length}`,
    );
  }
}

async function requireFunds({ gateway, payer }: Cluster, length: number): Promise<void> {
  const [buffer, programData, program] = await Promise.all([
    gateway.rentExemption(BUFFER_HEADER + length),
    gateway.rentExemption(PROGRAM_DATA_HEADER + length * ROOM_FACTOR),
    gateway.rentExemption(PROGRAM_ACCOUNT_BYTES),
  ]);
  // the loader gives the buffer's lamports back before it takes those of the program
  const needed = (buffer > programData ? buffer : programData) + program + FEES;
  const held = (await gateway.account(payer))?.lamports ?? 0n;
  if (held >= needed) return;
  throw new SetupError(
    `Deploying takes up to ${inSol(needed)} SOL, and the payer ${payer} has ${inSol(held)}. Send it the rest.`,
  );
}

/** In separate steps, since lamports may be there already. */
async function createProgramAccount(cluster: Cluster) {
  const accountPubkey = new PublicKey(cluster.programId);
  return [
    await fundAccount(cluster, cluster.programId, PROGRAM_ACCOUNT_BYTES),
    SystemProgram.allocate({ accountPubkey, space: PROGRAM_ACCOUNT_BYTES }),
    SystemProgram.assign({ accountPubkey, programId: LOADER }),
  ];
}
