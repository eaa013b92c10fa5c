import { PublicKey, SystemProgram } from '@solana/web3.js';
import { bearer, JSON_BODY } from '../load.ts';
import { openFloorSales } from '../stage/floor-sales.ts';
import type { Market } from '../stage/market.ts';
import { openSales } from '../stage/sales.ts';
import { freshPrice, inBatches, signerOf, transactionOf } from '../stage/transactions.ts';
import type { Path } from './path.ts';

const PER_REQUEST = 10;
const REQUESTS = 64;
/** Enough for an account to be free of rent. */
const LAMPORTS = 1_000_000;

/** `POST /claims/execute` with 10 transfers: every claim is confirmed when its request is answered. */
export const claims: Path = {
  title: '10 claims',
  requests: REQUESTS,
  connections: 32,
  withoutPool: false,
  async prepare(stage, count) {
    const { buyer, transfers } = await openSales(await stage.market(), Math.min(count, REQUESTS) * PER_REQUEST);
    const headers = { ...JSON_BODY, ...bearer(await buyer.token()) };
    const requests = inTens(transfers).map((body) => ({ headers, body }));
    return { method: 'POST', path: `${new URL(stage.config.apiUrl).pathname}/claims/execute`, requests };
  },
  /** Transfers of lamports to the permits' addresses: those of permits would have the server work beside the floor. */
  async prepareFloor(stage) {
    const market = await stage.market();
    const wallet = await openFloorSales(market);
    const requests = inTens(await lamportTransfers(market), { wallet }).map((body) => ({ headers: JSON_BODY, body }));
    return { method: 'POST', path: '/claims', requests };
  },
};

/** The bodies of requests with 10 transfers each. */
function inTens(transfers: readonly Buffer[], more: object = {}): string[] {
  return Array.from({ length: transfers.length / PER_REQUEST }, (_, at) => {
    const claimed = transfers.slice(at * PER_REQUEST, (at + 1) * PER_REQUEST);
    return JSON.stringify({ tickets: claimed.map((transfer) => ({ tx: transfer.toString('hex') })), ...more });
  });
}

async function lamportTransfers({ chain, marketplace, permits }: Market): Promise<Buffer[]> {
  const payer = marketplace.publicKey;
  const blockhash = await chain.gateway.latestBlockhash();
  return inBatches(permits.claims.slice(0, REQUESTS * PER_REQUEST), (permit) => {
    const toPubkey = new PublicKey(permit);
    const transfer = SystemProgram.transfer({ fromPubkey: payer, toPubkey, lamports: LAMPORTS });
    return transactionOf([freshPrice(), transfer], blockhash, [payer.toBase58()], signerOf(marketplace));
  });
}
