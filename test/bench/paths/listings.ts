import { encodeInstruction } from '../../../src/chain/instruction/instructions.ts';
import { bearer, JSON_BODY } from '../load.ts';
import type { Market } from '../stage/market.ts';
import { freshPrice, inBatches, signerOf, transactionOf } from '../stage/transactions.ts';
import type { Path } from './path.ts';

const PER_REQUEST = 4;

/** `POST /authorizations` with 4 listings that nobody has seen before. */
export const listings: Path = {
  title: '4 listings',
  requests: 400,
  connections: 32,
  withoutPool: false,
  async prepare(stage, count) {
    const market = await stage.market();
    const headers = { ...JSON_BODY, ...bearer(await market.lister.token()) };
    const bodies = await listingBodies(market, count);
    const path = `${new URL(stage.config.apiUrl).pathname}/authorizations`;
    return { method: 'POST', path, requests: bodies.map((body) => ({ headers, body })) };
  },
};

async function listingBodies({ chain, marketplace, lister, permits }: Market, count: number): Promise<string[]> {
  const blockhash = await chain.gateway.latestBlockhash();
  const payer = marketplace.publicKey.toBase58();
  const accounts = { owner: lister.wallet, authority: chain.authority, marketplace: payer };
  const wanted = Array.from(
    { length: count * PER_REQUEST },
    (_, at) => permits.listings[at % permits.listings.length] ?? '',
  );
  const transactions = await inBatches(wanted, async (permit) => {
    const list = encodeInstruction(chain.programId, 'create_listing_v1', { ...accounts, permit }, { price: 1_000n });
    return (await transactionOf([freshPrice(), list], blockhash, [payer], signerOf(marketplace))).toString('base64');
  });
  return Array.from({ length: count }, (_, at) =>
    JSON.stringify({ type: 'list', transactions: transactions.slice(at * PER_REQUEST, (at + 1) * PER_REQUEST) }),
  );
}
