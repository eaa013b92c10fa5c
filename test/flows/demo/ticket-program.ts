import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import anchor, { type Idl } from '@coral-xyz/anchor';
import { Connection, Keypair, PublicKey, Transaction, type TransactionInstruction } from '@solana/web3.js';
import type { Ticket } from './fan-api.ts';
import type { Kit } from './kit.ts';

/** A blockhash expires within some 60 to 90 seconds. */
const CONFIRMED_WITHIN_MS = 90_000;

/**
 * The partner's side of the chain, with Anchor and web3.js only: the program comes from the IDL that the Fan API publishes.
 */
export async function openTicketProgram(kit: Kit, rpcUrl: string) {
  const connection = new Connection(rpcUrl, 'confirmed');
  const idl: Idl = await (await fetch(new URL(`/idl.json?mode=${kit.mode ?? 'sandbox'}`, kit.api_url))).json();
  const program = new anchor.Program(idl, { connection });
  const { methods } = program;
  const [config] = PublicKey.findProgramAddressSync([Buffer.from('config')], program.programId);
  const configAccount = await connection.getAccountInfo(config);
  if (configAccount === null) throw new Error('the ticket program is not initialised');
  const { authority } = program.coder.accounts.decode<{ authority: PublicKey }>('config', configAccount.data);

  function permitOf(ticket: Ticket): PublicKey {
    const ticketId = anchor.utils.bytes.bs58.decode(ticket.tix_ticket_id);
    const seeds = [Buffer.from('permit'), new PublicKey(ticket.tix_event_id).toBuffer(), ticketId];
    return PublicKey.findProgramAddressSync(seeds, program.programId)[0];
  }

  /** A transaction that pays its fee itself and waits for our signatures, in hex. */
  async function prepare(feePayer: Keypair, instruction: TransactionInstruction | undefined): Promise<string> {
    if (instruction === undefined) throw new Error('the IDL lacks an instruction');
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: feePayer.publicKey, recentBlockhash: blockhash }).add(instruction);
    transaction.partialSign(feePayer);
    return transaction.serialize({ requireAllSignatures: false }).toString('hex');
  }

  /** Asks instead of subscribing, because not every RPC address has a WebSocket. */
  async function confirmed(signature: string): Promise<void> {
    for (const until = Date.now() + CONFIRMED_WITHIN_MS; Date.now() < until; await sleep(500)) {
      const [status] = (await connection.getSignatureStatuses([signature])).value;
      if (status?.err) throw new Error(`${signature} failed: ${JSON.stringify(status.err)}`);
      if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') return;
    }
    throw new Error(`${signature} was not confirmed within ${CONFIRMED_WITHIN_MS / 1_000} seconds`);
  }

  async function readPermit(ticket: Ticket): Promise<{ owner: PublicKey; marketplace: PublicKey }> {
    const account = await connection.getAccountInfo(permitOf(ticket));
    if (account === null) throw new Error(`the permit of ${ticket.id} is not issued yet`);
    return program.coder.accounts.decode('permit', account.data);
  }

  return {
    /** The wallet that holds a ticket, in base58. */
    async ownerOf(ticket: Ticket): Promise<string> {
      return (await readPermit(ticket)).owner.toBase58();
    },
    async isListed(ticket: Ticket): Promise<boolean> {
      return !(await readPermit(ticket)).marketplace.equals(PublicKey.default);
    },
    async fundedWallet(): Promise<Keypair> {
      if (kit.keypair !== undefined) {
        const bytes = JSON.parse(await readFile(kit.keypair, 'utf8'));
        return Keypair.fromSecretKey(Uint8Array.from(bytes));
      }
      const wallet = Keypair.generate();
      await confirmed(await connection.requestAirdrop(wallet.publicKey, 1_000_000_000));
      return wallet;
    },
    async list(ticket: Ticket, owner: string, marketplace: Keypair, lamports: number): Promise<string> {
      const accounts = { config, permit: permitOf(ticket), owner, authority, marketplace: marketplace.publicKey };
      return prepare(
        marketplace,
        await methods.createListingV1?.(new anchor.BN(lamports)).accountsStrict(accounts).instruction(),
      );
    },
    async cancel(ticket: Ticket, owner: string, payer: Keypair): Promise<string> {
      const accounts = { config, permit: permitOf(ticket), owner, authority };
      return prepare(payer, await methods.cancelListingV1?.().accountsStrict(accounts).instruction());
    },
    async transfer(ticket: Ticket, marketplace: Keypair, destination: string): Promise<string> {
      const accounts = { config, permit: permitOf(ticket), transferAuthority: marketplace.publicKey, destination };
      return prepare(marketplace, await methods.transferPermitV1?.().accountsStrict(accounts).instruction());
    },
    async submit(hex: string): Promise<string> {
      const signature = await connection.sendRawTransaction(Buffer.from(hex, 'hex'));
      await confirmed(signature);
      return signature;
    },
  };
}
