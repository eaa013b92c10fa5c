import type { Ticket } from '@fan-api/sdk';
import type { Transaction } from '@solana/web3.js';
import type { PlaygroundConfig } from '../config.ts';
import { type Network, openFundedWallet, openNetwork } from './open-network.ts';
import { type BuiltTransaction, type DecodedInstruction, lamportsOf, type TradeKind } from './sale.ts';

/** Names of the accounts of each instruction, in their order, as the documentation has them. */
const ACCOUNTS: Readonly<Record<TradeKind, { instruction: string; accounts: string[] }>> = {
  list: { instruction: 'create_listing_v1', accounts: ['config', 'permit', 'owner', 'authority', 'marketplace'] },
  cancel: { instruction: 'cancel_listing_v1', accounts: ['config', 'permit', 'owner', 'authority'] },
  claim: { instruction: 'transfer_permit_v1', accounts: ['config', 'permit', 'transfer_authority', 'destination'] },
};

export interface TradeTerms {
  kind: TradeKind;
  ticket: Ticket;
  /** In SOL, as typed; of a listing. */
  price?: string;
  /** Wallet of the buyer; of a claim. */
  destination?: string;
}

/** Builds a transaction as a partner does, and signs it with the partner's wallet. */
export async function buildTransaction(config: PlaygroundConfig, terms: TradeTerms): Promise<BuiltTransaction> {
  const network = await openNetwork(config);
  const transaction = await transactionFor(network, terms);
  return {
    ticketId: terms.ticket.id,
    hex: network.module.transactionHex(transaction),
    at: new Date().toISOString(),
    instruction: decodeInstruction(terms.kind, transaction),
  };
}

async function transactionFor(network: Network, terms: TradeTerms): Promise<Transaction> {
  const { kind, ticket, price = '', destination } = terms;
  const { program } = network;
  const wallet = await openFundedWallet(network);
  if (kind === 'claim') {
    if (destination === undefined) throw new Error('The buyer’s wallet is not known.');
    const marketplace = wallet.publicKey;
    const { listing, lamports } = await program.readPermit(ticket);
    return program.prepare(program.transferPermit(ticket, { listing, lamports, marketplace, destination }), [wallet]);
  }
  const instruction =
    kind === 'list'
      ? await program.createListing(ticket, { marketplace: wallet.publicKey, lamports: lamportsOf(price) })
      : await program.cancelListing(ticket);
  return program.prepare(instruction, [wallet]);
}

function decodeInstruction(kind: TradeKind, transaction: Transaction): DecodedInstruction {
  const { instruction: name, accounts } = ACCOUNTS[kind];
  const [instruction] = transaction.instructions;
  return {
    name,
    accounts: (instruction?.keys ?? []).map(({ pubkey, isSigner, isWritable }, index) => ({
      name: accounts[index] ?? `account ${index}`,
      address: pubkey.toBase58(),
      signer: isSigner,
      writable: isWritable,
    })),
    data: [...(instruction?.data ?? [])].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    blockhash: transaction.recentBlockhash ?? '',
    feePayer: transaction.feePayer?.toBase58() ?? '',
  };
}
