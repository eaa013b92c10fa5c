import anchor, { type Idl } from '@coral-xyz/anchor';
import { type Connection, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { configOf, permitOf, readAuthority, readPermit, type Sale, type Ticket } from './ticket-accounts.ts';

/** @param origin where the Fan API is, such as `http://localhost:3000` */
export async function openProgram(origin: string, connection: Connection) {
  const idl = (await (await fetch(`${origin}/idl.json`)).json()) as Idl;
  return new anchor.Program(idl, { connection });
}

/** Puts a held ticket on sale. From then on only `marketplace` can transfer it. */
export async function listWithAnchor(
  program: anchor.Program,
  ticket: Ticket,
  marketplace: PublicKey,
  lamports: bigint,
): Promise<TransactionInstruction> {
  const { connection } = program.provider;
  const permit = permitOf(program.programId, ticket);
  const { owner } = await readPermit(connection, permit);
  const authority = await readAuthority(connection, program.programId);
  return built(
    program.methods
      .createListingV1?.(new anchor.BN(lamports.toString()))
      .accountsStrict({ config: configOf(program.programId), permit, owner, authority, marketplace }),
  );
}

/** Takes it off the market. */
export async function cancelWithAnchor(program: anchor.Program, ticket: Ticket): Promise<TransactionInstruction> {
  const { connection } = program.provider;
  const permit = permitOf(program.programId, ticket);
  const { owner } = await readPermit(connection, permit);
  const authority = await readAuthority(connection, program.programId);
  return built(
    program.methods
      .cancelListingV1?.()
      .accountsStrict({ config: configOf(program.programId), permit, owner, authority }),
  );
}

/** Sells a listed ticket. `marketplace` signs; `destination` is the wallet of the fan who will claim it. */
export async function transferWithAnchor(
  program: anchor.Program,
  ticket: Ticket,
  { listing, lamports }: Sale,
  marketplace: PublicKey,
  destination: string,
): Promise<TransactionInstruction> {
  return built(
    program.methods
      .transferPermitV1?.(new anchor.BN(listing.toString()), new anchor.BN(lamports.toString()))
      .accountsStrict({
        config: configOf(program.programId),
        permit: permitOf(program.programId, ticket),
        transferAuthority: marketplace,
        destination: new PublicKey(destination),
      }),
  );
}

async function built(call: { instruction(): Promise<TransactionInstruction> } | undefined) {
  if (call === undefined) throw new Error('the IDL lacks this instruction');
  return call.instruction();
}
