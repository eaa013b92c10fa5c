import { setTimeout as sleep } from 'node:timers/promises';
import { decodeAccount } from '@fan-api/cosign-policy/read-account';
import { decodeArgs, instructionNameOf, instructionOf } from '@fan-api/cosign-policy/read-instruction';
import { ACCOUNT_DISCRIMINATORS, PERMIT_STATES } from '@fan-api/ticket-program/description';
import { type Connection, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';

/** A permit that moved from one wallet to another. */
export interface ChainTransfer {
  permit: string;
  signature: string;
  to: string;
  /** Lamports, and the number of the listing; both are zero where nothing was sold. */
  price: bigint;
  listing: bigint;
  /** When the judge saw it confirmed, in milliseconds since the epoch; it looks every `LOOK_MS`. */
  at: number;
}

export interface ChainPermit {
  owner: string;
  listed: boolean;
}

/** The judge's own eyes on the chain, at commitment `confirmed`. */
export interface ChainReader {
  /** Every transfer so far, in the order of the chain. */
  transfers: ChainTransfer[];
  ownerOf(permit: string): Promise<string>;
  /** All permits by address. */
  permits(): Promise<Map<string, ChainPermit>>;
  /** Looks for the last time. */
  stop(): Promise<void>;
}

const LOOK_MS = 100;
const TRANSFER = 'transfer_permit_v1';

/** Follows the ticket program from now on. */
export function watchChain(connection: Connection, programId: string): ChainReader {
  const program = new PublicKey(programId);
  const transfers: ChainTransfer[] = [];
  let until: string | undefined;
  let stopped = false;
  // what a transaction did is read later: that must not delay the next look
  let reading = Promise.resolve();

  async function look(): Promise<void> {
    const newest = await connection.getSignaturesForAddress(program, { ...(until !== undefined && { until }) });
    const at = Date.now();
    until = newest[0]?.signature ?? until;
    const ran = newest.filter(({ err }) => err === null).toReversed();
    reading = reading.then(async () => {
      for (const { signature } of ran) transfers.push(...(await transfersIn(signature, at)));
    });
  }

  async function transfersIn(signature: string, at: number): Promise<ChainTransfer[]> {
    const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    const message = found?.transaction.message;
    if (message === undefined) throw new Error(`the chain has no transaction ${signature}`);
    const names = instructionOf(TRANSFER).accounts.map(({ name }) => name);
    return message.compiledInstructions.flatMap(({ data, accountKeyIndexes }) => {
      if (instructionNameOf(data) !== TRANSFER) return [];
      const account = (name: string) =>
        message.staticAccountKeys[accountKeyIndexes[names.indexOf(name)] ?? -1]?.toBase58() ?? '';
      return [{ permit: account('permit'), to: account('destination'), signature, at, ...decodeArgs(TRANSFER, data) }];
    });
  }

  const watching = (async () => {
    while (!stopped) {
      await look();
      await sleep(LOOK_MS);
    }
    await look();
    await reading;
  })();

  // a network that ends early is seen at the end
  watching.catch(() => undefined);

  return {
    transfers,
    async ownerOf(permit) {
      const account = await connection.getAccountInfo(new PublicKey(permit));
      if (account === null) throw new Error(`the chain has no permit ${permit}`);
      return decodeAccount('Permit', account.data).owner;
    },
    async permits() {
      const bytes = bs58.encode(Uint8Array.from(ACCOUNT_DISCRIMINATORS.Permit));
      const accounts = await connection.getProgramAccounts(program, { filters: [{ memcmp: { offset: 0, bytes } }] });
      return new Map(
        accounts.map(({ pubkey, account }) => {
          const { owner, state } = decodeAccount('Permit', account.data);
          return [pubkey.toBase58(), { owner, listed: state === PERMIT_STATES.listed }];
        }),
      );
    },
    async stop() {
      stopped = true;
      await watching;
    },
  };
}
