/**
 * Ticket transactions with `@solana/web3.js` 1.x: list, cancel, transfer. Each is one instruction that this file builds; the fan's
 * wallet and the co-signer sign it through the Fan API, and you sign with your own wallet.
 *
 * @module
 */
import {
  ComputeBudgetProgram,
  type Connection,
  PublicKey,
  type Signer,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { MissingAccountError, untilOnchain } from './missing-account.ts';
import {
  accountsOf,
  decodeAuthority,
  decodePermit,
  fromHex,
  type InstructionName,
  instructionData,
  type OnchainTicket,
  type Permit,
  type Sale,
  SEEDS,
  toHex,
  untilConfirmed,
} from './ticket-accounts.ts';

export { fromHex, type OnchainTicket, type Permit, type Sale, toHex } from './ticket-accounts.ts';

/** An address: base58, or web3.js's own. */
export type AddressLike = string | PublicKey;

export interface Fees {
  /** Compute units; a ticket instruction takes about 5,000. */
  computeUnitLimit?: number;
  /** Micro-lamports for each compute unit. */
  computeUnitPrice?: number | bigint;
}

/** The ticket program on a cluster. Accounts are read at `confirmed`. */
export interface TicketProgram {
  readonly programId: PublicKey;
  permitAddress(ticket: OnchainTicket): PublicKey;
  /** @throws Error where the ticket has no permit on this cluster */
  readPermit(ticket: OnchainTicket): Promise<Permit>;
  /** Puts a held ticket on sale: `type` `list` of `POST /authorizations`. From then on only `marketplace` can transfer it. */
  createListing(
    ticket: OnchainTicket,
    terms: { marketplace: AddressLike; lamports: bigint },
  ): Promise<TransactionInstruction>;
  /** Takes it off the market: `type` `cancel` of `POST /authorizations`. */
  cancelListing(ticket: OnchainTicket): Promise<TransactionInstruction>;
  /** Moves a listed ticket, for `POST /claims/execute`. @param destination the buyer's wallet, of `GET /wallet` */
  transferPermit(
    ticket: OnchainTicket,
    sale: Sale & { marketplace: AddressLike; destination: AddressLike },
  ): TransactionInstruction;
  /** A transaction with a fresh blockhash, signed by those who are given; the first pays the fee. Others sign later. */
  prepare(
    instruction: TransactionInstruction,
    signers: readonly [Signer, ...Signer[]],
    fees?: Fees,
  ): Promise<Transaction>;
  /** Submits a fully signed transaction, in hex, and waits until it is confirmed. @returns its signature, in base58 */
  submit(hex: string, signal?: AbortSignal): Promise<string>;
}

/** @param connection to a node of the cluster that `programId` is on */
export function openTicketProgram(connection: Connection, program: AddressLike): TicketProgram {
  const programId = new PublicKey(program);
  const config = PublicKey.findProgramAddressSync([SEEDS.config], programId)[0];
  const permitAddress = (ticket: OnchainTicket) => {
    // an id of 32 bytes, in base58 as an address is
    const ticketId = new PublicKey(ticket.tix_ticket_id).toBytes();
    return PublicKey.findProgramAddressSync(
      [SEEDS.permit, new PublicKey(ticket.tix_event_id).toBytes(), ticketId],
      programId,
    )[0];
  };

  async function read(address: PublicKey): Promise<Uint8Array> {
    const account = await connection.getAccountInfo(address, 'confirmed');
    if (account === null || !account.owner.equals(programId)) {
      throw new MissingAccountError(address.toBase58());
    }
    return account.data;
  }

  async function readPermit(ticket: OnchainTicket): Promise<Permit> {
    const address = permitAddress(ticket);
    return decodePermit(address.toBase58(), await read(address), (bytes) => new PublicKey(bytes).toBase58());
  }

  function instruction(
    name: InstructionName,
    accounts: Record<string, AddressLike>,
    numbers: readonly bigint[],
  ): TransactionInstruction {
    const keys = accountsOf(name, { config, ...accounts }).map(({ address, signer, writable }) => ({
      pubkey: new PublicKey(address),
      isSigner: signer,
      isWritable: writable,
    }));
    // web3.js only reads the bytes, and browsers have no Buffer
    return new TransactionInstruction({ programId, keys, data: instructionData(name, numbers) as Buffer });
  }

  /** The owner, and the present authority, which may be rotated. */
  async function parties(ticket: OnchainTicket) {
    const [{ address, owner }, data] = await Promise.all([untilOnchain(() => readPermit(ticket)), read(config)]);
    return { permit: address, owner, authority: new PublicKey(decodeAuthority(data)) };
  }

  return {
    programId,
    permitAddress,
    readPermit,
    async createListing(ticket, { marketplace, lamports }) {
      return instruction('create_listing_v1', { ...(await parties(ticket)), marketplace }, [lamports]);
    },
    async cancelListing(ticket) {
      return instruction('cancel_listing_v1', await parties(ticket), []);
    },
    transferPermit(ticket, { listing, lamports, marketplace, destination }) {
      const accounts = { permit: permitAddress(ticket), transfer_authority: marketplace, destination };
      return instruction('transfer_permit_v1', accounts, [listing, lamports]);
    },
    async prepare(instruction, signers, { computeUnitLimit, computeUnitPrice } = {}) {
      const { blockhash } = await connection.getLatestBlockhash('confirmed');
      const transaction = new Transaction({ feePayer: signers[0].publicKey, recentBlockhash: blockhash });
      if (computeUnitLimit !== undefined) {
        transaction.add(ComputeBudgetProgram.setComputeUnitLimit({ units: computeUnitLimit }));
      }
      if (computeUnitPrice !== undefined) {
        transaction.add(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: computeUnitPrice }));
      }
      transaction.add(instruction).partialSign(...signers);
      return transaction;
    },
    async submit(hex, signal) {
      const options = { preflightCommitment: 'confirmed' } as const;
      const signature = await connection.sendRawTransaction(fromHex(hex), options);
      await confirmed(connection, signature, signal);
      return signature;
    },
  };
}

/** In hex, as the Fan API accepts it; signatures that are missing stay empty. */
export function transactionHex(transaction: Transaction): string {
  return toHex(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }));
}

/** Waits until a transaction is confirmed. @throws Error where the cluster refused it */
export async function confirmed(connection: Connection, signature: string, signal?: AbortSignal): Promise<void> {
  const ask = async () => (await connection.getSignatureStatuses([signature])).value[0];
  await untilConfirmed(signature, ask, signal);
}
