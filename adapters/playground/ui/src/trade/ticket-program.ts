/**
 * The partner's side of the chain, with Anchor and web3.js only, as in the documentation: the program comes from the IDL that the Fan API
 * publishes. Loaded when a step needs it, because it is large.
 *
 * @module
 */
import { BN, type Idl, Program, utils } from '@coral-xyz/anchor';
import {
  type AccountInfo,
  Connection,
  Keypair,
  PublicKey,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { Buffer } from 'buffer/';

// Anchor expects it, as in Node
globalThis.Buffer ??= Buffer as unknown as typeof globalThis.Buffer;

/** What the chain says of a permit. Addresses in base58. */
export interface PermitState {
  permit: string;
  owner: string;
  listed: boolean;
  marketplace: string;
  /** Of the listing. */
  lamports: string;
}

/** The part of a ticket from which its accounts follow. */
export interface OnchainTicket {
  tix_event_id: string;
  tix_ticket_id: string;
}

const FUNDS_LAMPORTS = 1_000_000_000;
/** A blockhash expires within some 60 to 90 seconds. */
const CONFIRMED_WITHIN_MS = 90_000;
const ASK_AGAIN_MS = 400;

/** @param send sends the calls of the RPC address, and shows them */
export async function openTicketProgram(idl: Idl, rpcUrl: string, send: typeof fetch) {
  const connection = new Connection(rpcUrl, { commitment: 'confirmed', fetch: send, disableRetryOnRateLimit: true });
  const program = new Program(idl, { connection });
  const { programId, methods } = program;
  const [config] = PublicKey.findProgramAddressSync([utils.bytes.utf8.encode('config')], programId);

  function permitOf(ticket: OnchainTicket): PublicKey {
    const ticketId = utils.bytes.bs58.decode(ticket.tix_ticket_id);
    const event = new PublicKey(ticket.tix_event_id);
    return PublicKey.findProgramAddressSync(
      [utils.bytes.utf8.encode('permit'), event.toBytes(), ticketId],
      programId,
    )[0];
  }

  async function read(address: PublicKey, what: string): Promise<AccountInfo<globalThis.Buffer>> {
    const account = await connection.getAccountInfo(address);
    if (account === null) throw new Error(`There is no ${what} at ${address.toBase58()}.`);
    return account;
  }

  async function authority(): Promise<PublicKey> {
    const { data } = await read(config, 'Config account of the ticket program');
    return program.coder.accounts.decode<{ authority: PublicKey }>('config', data).authority;
  }

  /** Asks instead of subscribing, because not every RPC address has a WebSocket. */
  async function confirmed(signature: string): Promise<void> {
    for (const until = Date.now() + CONFIRMED_WITHIN_MS; Date.now() < until; ) {
      const [status] = (await connection.getSignatureStatuses([signature])).value;
      if (status?.err) throw new Error(`The network refused ${signature}: ${JSON.stringify(status.err)}`);
      if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') return;
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
    throw new Error(`${signature} was not confirmed within ${CONFIRMED_WITHIN_MS / 1_000} seconds.`);
  }

  /** A transaction whose fee the partner's wallet pays and has signed; other signers sign later. */
  async function prepare(payer: Keypair, instruction: TransactionInstruction | undefined): Promise<Transaction> {
    if (instruction === undefined) throw new Error('The IDL lacks the instruction.');
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(instruction);
    transaction.partialSign(payer);
    return transaction;
  }

  return {
    programId: programId.toBase58(),

    async readPermit(ticket: OnchainTicket): Promise<PermitState> {
      const permit = permitOf(ticket);
      const { data } = await read(permit, 'permit of this ticket yet');
      const state = program.coder.accounts.decode('permit', data);
      return {
        permit: permit.toBase58(),
        owner: state.owner.toBase58(),
        listed: !state.marketplace.equals(PublicKey.default),
        marketplace: state.marketplace.toBase58(),
        lamports: String(state.price ?? 0),
      };
    },

    /** Funds a wallet of the partner from the test network's faucet, where it is short. @returns the balance in lamports */
    async fund(wallet: Keypair): Promise<number> {
      const balance = await connection.getBalance(wallet.publicKey);
      if (balance >= FUNDS_LAMPORTS / 10) return balance;
      await confirmed(await connection.requestAirdrop(wallet.publicKey, FUNDS_LAMPORTS));
      return connection.getBalance(wallet.publicKey);
    },

    async list(ticket: OnchainTicket, owner: string, marketplace: Keypair, lamports: bigint): Promise<Transaction> {
      const accounts = {
        config,
        permit: permitOf(ticket),
        owner,
        authority: await authority(),
        marketplace: marketplace.publicKey,
      };
      const call = methods.createListingV1?.(new BN(lamports.toString())).accountsStrict(accounts);
      return prepare(marketplace, await call?.instruction());
    },

    async cancel(ticket: OnchainTicket, owner: string, payer: Keypair): Promise<Transaction> {
      const accounts = { config, permit: permitOf(ticket), owner, authority: await authority() };
      return prepare(payer, await methods.cancelListingV1?.().accountsStrict(accounts).instruction());
    },

    async transfer(ticket: OnchainTicket, marketplace: Keypair, destination: string): Promise<Transaction> {
      const accounts = { config, permit: permitOf(ticket), transferAuthority: marketplace.publicKey, destination };
      return prepare(marketplace, await methods.transferPermitV1?.().accountsStrict(accounts).instruction());
    },

    /** Submits a fully signed transaction, and waits until it is confirmed. @returns its signature */
    async submit(hex: string): Promise<string> {
      const signature = await connection.sendRawTransaction(bytesOf(hex), { preflightCommitment: 'confirmed' });
      await confirmed(signature);
      return signature;
    },
  };
}

export type TicketProgram = Awaited<ReturnType<typeof openTicketProgram>>;

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** A wallet of the partner, kept as its 64 bytes so that a reload does not lose it. */
export function newWallet(): { address: string; secret: number[] } {
  const wallet = Keypair.generate();
  return { address: wallet.publicKey.toBase58(), secret: [...wallet.secretKey] };
}

export function openWallet(secret: readonly number[]): Keypair {
  return Keypair.fromSecretKey(Uint8Array.from(secret));
}

/** In hex, as the Fan API takes it; signatures that are missing stay empty. */
export function toHex(transaction: Transaction): string {
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('hex');
}
