import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import { Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { rpc, startTestNetwork, type TestNetwork } from '../../packages/localnet/test/test-network.ts';
import {
  deployment,
  LOADER,
  programDataOf,
  type Step,
  setAuthority,
  u32,
  u64,
} from '../../packages/ticket-program/test/loader.ts';

const ELF = readLocalProgram().elf;
/** What the ticket program says to an instruction it does not know. */
const BAD_INSTRUCTION = 6000;

test('a program deployed through the upgradeable loader runs, and runs after a restart', async () => {
  const network = await startTestNetwork();
  const payer = await network.funded();
  const program = Keypair.generate();
  await deploy(network, payer, program);
  await rpc(network.url, 'passSlots', [1]);
  expect(await errorOfCall(network, payer, program)).toBe(BAD_INSTRUCTION);
  await network.stop();

  const { dataDir } = network;
  const restarted = await startTestNetwork({ dataDir });
  try {
    expect(await errorOfCall(restarted, payer, program)).toBe(BAD_INSTRUCTION);
    const info = await restarted.connection.getAccountInfo(program.publicKey);
    expect(info).toMatchObject({ executable: true, owner: LOADER });
  } finally {
    await restarted.remove();
  }
});

test('a program of the genesis has the accounts of the loader, and its upgrade authority can hand it over', async () => {
  const owner = Keypair.generate();
  const next = Keypair.generate().publicKey;
  const genesis = {
    id: Keypair.generate().publicKey.toBase58(),
    elf: ELF,
    upgradeAuthority: owner.publicKey.toBase58(),
  };
  const programId = new PublicKey(genesis.id);
  const programData = programDataOf(programId);
  const network = await startTestNetwork({ programs: [genesis] });
  const payer = await network.funded();
  const account = await network.connection.getAccountInfo(programData);
  expect(account).toMatchObject({ owner: LOADER, executable: false });
  expect(account?.data.subarray(0, 45)).toEqual(
    Buffer.concat([u32(3), u64(0), Uint8Array.of(1), owner.publicKey.toBytes()]),
  );
  expect(account?.data.subarray(45)).toEqual(Buffer.from(ELF));
  const handOver = setAuthority(programId, owner.publicKey, next);
  await network.connection.sendTransaction(new Transaction().add(handOver), [payer, owner]);
  expect(await authorityOf(network, programData)).toEqual(next);
  await network.stop();

  // the genesis is that of the start, as the code is
  const restarted = await startTestNetwork({ dataDir: network.dataDir, programs: [genesis] });
  try {
    expect(await authorityOf(restarted, programData)).toEqual(owner.publicKey);
  } finally {
    await restarted.remove();
  }
});

async function authorityOf({ connection }: TestNetwork, programData: PublicKey): Promise<PublicKey> {
  const account = await connection.getAccountInfo(programData);
  return new PublicKey(account?.data.subarray(13, 45) ?? []);
}

async function deploy({ connection }: TestNetwork, payer: Keypair, program: Keypair): Promise<void> {
  const rent = await connection.getMinimumBalanceForRentExemption(0);
  // a byte costs the same at any length, and an empty account counts 128
  const rentOf = (bytes: number) => (rent / 128) * (128 + bytes);
  const { begin, writes, end } = deployment(payer.publicKey, program, ELF, rentOf);
  const send = ({ instructions, signers }: Step) =>
    connection.sendTransaction(new Transaction().add(...instructions), [payer, ...signers]);
  await send(begin);
  await Promise.all(writes.map(send));
  await send(end);
}

/** The custom error of a call with eight zero bytes. */
async function errorOfCall({ connection }: TestNetwork, payer: Keypair, program: Keypair): Promise<unknown> {
  const call = new TransactionInstruction({ programId: program.publicKey, keys: [], data: Buffer.alloc(8) });
  const transaction = new Transaction({ feePayer: payer.publicKey }).add(call);
  const { value } = await connection.simulateTransaction(transaction, [payer]);
  const [, cause] = (value.err as { InstructionError?: [number, { Custom?: number }] } | null)?.InstructionError ?? [];
  return cause?.Custom ?? value.err;
}
