/**
 * The partner's side of the chain, by the SDK, with web3.js for keys and the network. Loaded when a step needs it, because it is large.
 *
 * @module
 */
import { confirmed, openTicketProgram as openProgram } from '@fan-api/sdk/web3';
import { Connection, Keypair } from '@solana/web3.js';

export { transactionHex } from '@fan-api/sdk/web3';

const FUNDS_LAMPORTS = 1_000_000_000;

/** @param send sends the calls of the RPC address, and shows them */
export function openTicketProgram(programId: string, rpcUrl: string, send: typeof fetch) {
  const connection = new Connection(rpcUrl, { commitment: 'confirmed', fetch: send, disableRetryOnRateLimit: true });
  return {
    ...openProgram(connection, programId),

    /** Funds a wallet of the partner from the test network's faucet, where it is short. @returns the balance in lamports */
    async fund(wallet: Keypair): Promise<number> {
      const balance = await connection.getBalance(wallet.publicKey);
      if (balance >= FUNDS_LAMPORTS / 10) return balance;
      await confirmed(connection, await connection.requestAirdrop(wallet.publicKey, FUNDS_LAMPORTS));
      return connection.getBalance(wallet.publicKey);
    },
  };
}

export type TicketProgram = ReturnType<typeof openTicketProgram>;

/** A wallet of the partner, kept as its 64 bytes so that a reload does not lose it. */
export function newWallet(): { address: string; secret: number[] } {
  const wallet = Keypair.generate();
  return { address: wallet.publicKey.toBase58(), secret: [...wallet.secretKey] };
}

export function openWallet(secret: readonly number[]): Keypair {
  return Keypair.fromSecretKey(Uint8Array.from(secret));
}
