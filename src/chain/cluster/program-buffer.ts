import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from '@fan-api/solana-wire/base58';
import { PublicKey, SystemProgram } from '@solana/web3.js';
import type { RawAccount } from '../gateway/read-accounts.ts';
import { runOwnTransaction, signOwnTransaction } from '../wallet/own-transaction.ts';
import type { Signer } from '../wallet/signer.ts';
import { fundAccount } from './fund-account.ts';
import {
  BUFFER_HEADER,
  BUFFER_STATE,
  initializeBuffer,
  LOADER,
  setBufferAuthority,
  writeBuffer,
} from './loader-instructions.ts';
import type { Cluster } from './open-cluster.ts';
import { SetupError } from './setup-error.ts';

/** Bytes of code in one transaction: what 1,232 bytes leave beside one signature and four accounts. */
const CHUNK = 1_000;
/** Rate limits of RPC nodes allow this many concurrent requests. */
const PARALLEL = 8;
const ROUNDS = 8;
const ROUND_MS = 25_000;
const POLL_MS = 1_000;
/** Polls after which missing parts are sent again. */
const RESEND_AFTER_POLLS = 3;
/** Offset of the authority's key in a buffer's account. */
const AUTHORITY = 5;

/**
 * Brings code into a buffer account of the loader that `authority` may deploy. The address is derived from our payer and the code, so an
 * interrupted run continues: what the account holds is not sent again.
 * @param report gets messages about the progress
 * @returns the buffer's address
 * @throws SetupError where the buffer holds other code and is no longer ours to write, or writing does not end
 */
export async function fillBuffer(
  cluster: Cluster,
  signer: Signer,
  code: Uint8Array,
  authority: string,
  report: (line: string) => void,
): Promise<string> {
  const payer = new PublicKey(cluster.payer);
  const seed = createHash('sha256').update(code).digest('hex').slice(0, 32);
  const buffer = await PublicKey.createWithSeed(payer, seed, LOADER);
  const address = buffer.toBase58();
  if (!isBuffer(await cluster.gateway.account(address))) await create(cluster, signer, buffer, seed, code.length);
  await write(cluster, signer, address, code, report);
  const account = await cluster.gateway.account(address);
  if (authorityOf(account) !== authority) {
    await runOwnTransaction(cluster, signer, [setBufferAuthority(address, cluster.payer, authority)], []);
    // from now on our payer's key can change nothing: what is deployed is what is read here
    await missingChunks(cluster, address, code);
  }
  return address;
}

async function create(
  cluster: Cluster,
  signer: Signer,
  buffer: PublicKey,
  seed: string,
  length: number,
): Promise<void> {
  const space = BUFFER_HEADER + length;
  const payer = new PublicKey(cluster.payer);
  const instructions = [
    await fundAccount(cluster, buffer.toBase58(), space),
    SystemProgram.allocate({ accountPubkey: buffer, basePubkey: payer, seed, space, programId: LOADER }),
    initializeBuffer(buffer.toBase58(), cluster.payer),
  ];
  await runOwnTransaction(cluster, signer, instructions, []);
}

/** In rounds: missing parts are sent in parallel and again, until their blockhash expires or nothing is missing. */
async function write(
  cluster: Cluster,
  signer: Signer,
  buffer: string,
  code: Uint8Array,
  report: (line: string) => void,
): Promise<void> {
  const total = Math.ceil(code.length / CHUNK);
  let missing = await missingChunks(cluster, buffer, code);
  for (let round = 0; missing.length > 0; round++) {
    if (round === ROUNDS)
      throw new SetupError('The code could not be written. Repeat the command: it goes on from here.');
    const blockhash = await cluster.gateway.latestBlockhash();
    const sign = async (offset: number) => {
      const instructions = [writeBuffer(buffer, cluster.payer, offset, code.subarray(offset, offset + CHUNK))];
      const { bytes } = await signOwnTransaction(cluster, signer, { instructions, blockhash, signers: [] });
      return [offset, bytes] as const;
    };
    const signed = new Map(await Promise.all(missing.map(sign)));
    for (const end = Date.now() + ROUND_MS; missing.length > 0 && Date.now() < end; ) {
      await inParallel(
        missing,
        async (offset) => void (await cluster.gateway.submit(signed.get(offset) ?? new Uint8Array())),
      );
      for (let poll = 0; missing.length > 0 && poll < RESEND_AFTER_POLLS; poll++) {
        await sleep(POLL_MS);
        missing = await missingChunks(cluster, buffer, code);
        report(`code written: ${total - missing.length} of ${total} parts`);
      }
    }
  }
}

/** Offsets of the parts that the account does not hold yet. */
async function missingChunks(cluster: Cluster, buffer: string, code: Uint8Array): Promise<number[]> {
  const account = await cluster.gateway.account(buffer);
  if (!isBuffer(account))
    throw new SetupError(`The buffer ${buffer} is gone: another deployment used it. Check the status.`);
  const held = account.data.subarray(BUFFER_HEADER);
  const offsets = Array.from({ length: Math.ceil(code.length / CHUNK) }, (_, index) => index * CHUNK);
  const missing = offsets.filter((at) => !held.subarray(at, at + CHUNK).equals(code.subarray(at, at + CHUNK)));
  if (missing.length > 0 && authorityOf(account) !== cluster.payer) {
    throw new SetupError(
      `The buffer ${buffer} holds other code and belongs to ${authorityOf(account)}: close it with \`solana program close\`.`,
    );
  }
  return missing;
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

function isBuffer(account: RawAccount | undefined): account is RawAccount {
  return (
    account?.owner === LOADER.toBase58() &&
    account.data.length >= BUFFER_HEADER &&
    account.data.readUInt32LE(0) === BUFFER_STATE
  );
}

function authorityOf(account: RawAccount | undefined): string | undefined {
  if (!isBuffer(account) || account.data[AUTHORITY - 1] !== 1) return undefined;
  return addressOf(account.data.subarray(AUTHORITY, BUFFER_HEADER));
}
