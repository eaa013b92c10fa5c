import { type Connection, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { configOf, permitOf, readAuthority, readPermit, type Sale, type Ticket } from './ticket-accounts.ts';

const CREATE_LISTING_V1 = Buffer.from('9b137bcd4ebcbd30', 'hex');
const CANCEL_LISTING_V1 = Buffer.from('e141033312d9711d', 'hex');
const TRANSFER_PERMIT_V1 = Buffer.from('d2534dc7a86c8143', 'hex');

/** Puts a held ticket on sale. From then on only `marketplace` can transfer it. */
export async function listByHand(
  connection: Connection,
  programId: PublicKey,
  ticket: Ticket,
  marketplace: PublicKey,
  lamports: bigint,
): Promise<TransactionInstruction> {
  const permit = permitOf(programId, ticket);
  const { owner } = await readPermit(connection, permit);
  return new TransactionInstruction({
    programId,
    keys: [
      readonly(configOf(programId)),
      writable(permit),
      signer(owner),
      signer(await readAuthority(connection, programId)),
      readonly(marketplace),
    ],
    data: Buffer.concat([CREATE_LISTING_V1, u64(lamports)]),
  });
}

/** Takes it off the market. */
export async function cancelByHand(
  connection: Connection,
  programId: PublicKey,
  ticket: Ticket,
): Promise<TransactionInstruction> {
  const permit = permitOf(programId, ticket);
  const { owner } = await readPermit(connection, permit);
  const authority = await readAuthority(connection, programId);
  const keys = [readonly(configOf(programId)), writable(permit), signer(owner), signer(authority)];
  return new TransactionInstruction({ programId, keys, data: CANCEL_LISTING_V1 });
}

/** Sells a listed ticket. `marketplace` signs; `destination` is the wallet of the fan who will claim it. */
export function transferByHand(
  programId: PublicKey,
  ticket: Ticket,
  { listing, lamports }: Sale,
  marketplace: PublicKey,
  destination: string,
): TransactionInstruction {
  const permit = permitOf(programId, ticket);
  const keys = [
    readonly(configOf(programId)),
    writable(permit),
    signer(marketplace),
    readonly(new PublicKey(destination)),
  ];
  const data = Buffer.concat([TRANSFER_PERMIT_V1, u64(listing), u64(lamports)]);
  return new TransactionInstruction({ programId, keys, data });
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

const readonly = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: false });
const writable = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: true });
const signer = (pubkey: PublicKey) => ({ pubkey, isSigner: true, isWritable: false });
