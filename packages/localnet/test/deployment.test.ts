import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import {
  type AccountMeta,
  Keypair,
  PublicKey,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { expect, test } from 'vitest';
import { rpc, startTestNetwork, type TestNetwork } from './test-network.ts';

const LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111');
const ELF = readLocalProgram().elf;
/** Bytes that a transaction can carry. */
const CHUNK = 900;
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
  const [programData] = PublicKey.findProgramAddressSync([new PublicKey(genesis.id).toBytes()], LOADER);
  const network = await startTestNetwork({ programs: [genesis] });
  const payer = await network.funded();
  const account = await network.connection.getAccountInfo(programData);
  expect(account).toMatchObject({ owner: LOADER, executable: false });
  expect(account?.data.subarray(0, 45)).toEqual(
    Buffer.concat([u32(3), u64(0), Uint8Array.of(1), owner.publicKey.toBytes()]),
  );
  expect(account?.data.subarray(45)).toEqual(Buffer.from(ELF));
  const handOver = loader([writable(programData), signer(owner.publicKey), readonly(next)], u32(4));
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
  const buffer = Keypair.generate();
  const [programData] = PublicKey.findProgramAddressSync([program.publicKey.toBytes()], LOADER);
  const own = { pubkey: payer.publicKey, isSigner: true, isWritable: true };
  const send = (instructions: TransactionInstruction[], ...signers: Keypair[]) =>
    connection.sendTransaction(new Transaction().add(...instructions), [payer, ...signers]);
  const create = async (newAccountPubkey: PublicKey, space: number) => {
    const lamports = await connection.getMinimumBalanceForRentExemption(space);
    const fromPubkey = payer.publicKey;
    return SystemProgram.createAccount({ fromPubkey, newAccountPubkey, lamports, space, programId: LOADER });
  };

  const initialize = loader([writable(buffer.publicKey), own], u32(0));
  await send([await create(buffer.publicKey, 37 + ELF.length), initialize], buffer);
  const offsets = Array.from({ length: Math.ceil(ELF.length / CHUNK) }, (_, at) => at * CHUNK);
  await Promise.all(
    offsets.map((offset) => {
      const chunk = ELF.subarray(offset, offset + CHUNK);
      const write = Buffer.concat([u32(1), u32(offset), u64(chunk.length), chunk]);
      return send([loader([writable(buffer.publicKey), own], write)]);
    }),
  );
  const accounts = [
    own,
    writable(programData),
    writable(program.publicKey),
    writable(buffer.publicKey),
    ...[SYSVAR_RENT_PUBKEY, SYSVAR_CLOCK_PUBKEY, SystemProgram.programId].map(readonly),
    own,
  ];
  const finish = loader(accounts, Buffer.concat([u32(2), u64(ELF.length)]));
  await send([await create(program.publicKey, 36), finish], program);
}

/** The custom error of a call with eight zero bytes. */
async function errorOfCall({ connection }: TestNetwork, payer: Keypair, program: Keypair): Promise<unknown> {
  const call = new TransactionInstruction({ programId: program.publicKey, keys: [], data: Buffer.alloc(8) });
  const transaction = new Transaction({ feePayer: payer.publicKey }).add(call);
  const { value } = await connection.simulateTransaction(transaction, [payer]);
  const [, cause] = (value.err as { InstructionError?: [number, { Custom?: number }] } | null)?.InstructionError ?? [];
  return cause?.Custom ?? value.err;
}

function loader(keys: AccountMeta[], data: Buffer): TransactionInstruction {
  return new TransactionInstruction({ programId: LOADER, keys, data });
}

function writable(pubkey: PublicKey): AccountMeta {
  return { pubkey, isSigner: false, isWritable: true };
}

function signer(pubkey: PublicKey): AccountMeta {
  return { pubkey, isSigner: true, isWritable: false };
}

function readonly(pubkey: PublicKey): AccountMeta {
  return { pubkey, isSigner: false, isWritable: false };
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
