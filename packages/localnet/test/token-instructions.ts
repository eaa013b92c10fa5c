import { type Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';

export const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');

function account(payer: Keypair, made: Keypair, space: number, lamports: number): TransactionInstruction {
  const [fromPubkey, newAccountPubkey] = [payer.publicKey, made.publicKey];
  return SystemProgram.createAccount({ fromPubkey, newAccountPubkey, lamports, space, programId: TOKEN_PROGRAM });
}

function token(data: Buffer, writable: PublicKey[], signers: PublicKey[] = []): TransactionInstruction {
  return new TransactionInstruction({
    programId: TOKEN_PROGRAM,
    keys: [
      ...writable.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true })),
      ...signers.map((pubkey) => ({ pubkey, isSigner: true, isWritable: false })),
    ],
    data,
  });
}

/** A mint whose authority is the payer: InitializeMint2 (20). */
export function createMint(payer: Keypair, mint: Keypair, decimals: number, rent: number): TransactionInstruction[] {
  const data = Buffer.concat([Buffer.from([20, decimals]), payer.publicKey.toBuffer(), Buffer.from([0])]);
  return [account(payer, mint, 82, rent), token(data, [mint.publicKey])];
}

/** A token account of `owner`: InitializeAccount3 (18). */
export function createTokenAccount(
  payer: Keypair,
  holding: Keypair,
  mint: PublicKey,
  owner: PublicKey,
  rent: number,
): TransactionInstruction[] {
  const data = Buffer.concat([Buffer.from([18]), owner.toBuffer()]);
  return [account(payer, holding, 165, rent), token(data, [holding.publicKey, mint])];
}

/** MintTo (7), signed by the payer. */
export function mintTo(payer: Keypair, mint: PublicKey, holding: PublicKey, amount: bigint): TransactionInstruction {
  const data = Buffer.alloc(9, 7);
  data.writeBigUInt64LE(amount, 1);
  return token(data, [mint, holding], [payer.publicKey]);
}
