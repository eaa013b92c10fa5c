import { encodeInstruction } from '../../src/chain/instruction/instructions.ts';
import { bearer, bearerRequests, type Load, tokenRequests } from './load.ts';
import { freshPrice, inBatches, type Market, openSales, signerOf, transactionOf } from './market.ts';
import { createTicketHolder, exchangeAll, issueCodes, issueRefreshTokens, type Stage } from './stage.ts';

/** One of the service's paths that are measured. */
export interface Path {
  title: string;
  /** Requests of a stretch. */
  requests: number;
  /** Whether libuv's pool is left out of what is compared: it does the RSA signatures, which are the same everywhere. */
  withoutPool: boolean;
  /** Prepares requests. @param count how many, where each may be sent once */
  prepare(stage: Stage, count: number): Promise<Load>;
}

/** Requests in flight. */
export const CONNECTIONS = 32;
/** As many fans as an app shows at a time; each token of theirs is used some 30 times. */
const USERINFO_TOKENS = 100;
const TICKETS = 10;
const LISTINGS_PER_REQUEST = 4;
const CLAIMS_PER_REQUEST = 10;
const CLAIM_REQUESTS = 64;

const jsonOf = (token: string) => ({ 'content-type': 'application/json', ...bearer(token) });

const holders = new WeakMap<Stage, ReturnType<typeof createTicketHolder>>();

/** A new access token of the fan whose tickets are listed. */
export async function ticketsToken(stage: Stage): Promise<string> {
  const holder = holders.get(stage) ?? createTicketHolder(stage, TICKETS);
  holders.set(stage, holder);
  const [token = ''] = await exchangeAll(stage, await issueCodes(stage, 1, await holder));
  return token;
}

const apiPath = (stage: Stage, path: string) => `${new URL(stage.config.apiUrl).pathname}${path}`;

export const PATHS = {
  /** `POST /oauth2/token` with fresh codes. */
  exchange: {
    title: 'code exchange',
    requests: 1_000,
    withoutPool: true,
    prepare: async (stage, count) => tokenRequests('/oauth2/token', await issueCodes(stage, count)),
  },
  /** `POST /oauth2/token` with refresh tokens of families that were never refreshed. */
  refresh: {
    title: 'refresh',
    requests: 1_000,
    withoutPool: true,
    async prepare(stage, count) {
      const tokens = await issueRefreshTokens(stage, count);
      const given = { grant_type: 'refresh_token', client_id: stage.kit.client_id };
      const forms = tokens.map((token) => new URLSearchParams({ ...given, refresh_token: token }).toString());
      return tokenRequests('/oauth2/token', forms);
    },
  },
  /** `GET /oauth2/userinfo`. */
  userinfo: {
    title: 'userinfo',
    requests: 3_000,
    withoutPool: true,
    async prepare(stage) {
      return bearerRequests('/oauth2/userinfo', await exchangeAll(stage, await issueCodes(stage, USERINFO_TOKENS)));
    },
  },
  /** `GET /tickets` of a fan with 10 tickets. */
  tickets: {
    title: 'GET /tickets',
    requests: 3_000,
    withoutPool: false,
    prepare: async (stage) => bearerRequests(apiPath(stage, '/tickets'), [await ticketsToken(stage)]),
  },
  /** `POST /authorizations` with 4 listings that nobody has seen before. */
  listings: {
    title: '4 listings',
    requests: 400,
    withoutPool: false,
    async prepare(stage, count) {
      const market = await stage.market();
      const headers = jsonOf(await market.lister.token());
      const listed = inGroups(await listingsOf(market, count * LISTINGS_PER_REQUEST), LISTINGS_PER_REQUEST);
      const bodies = listed.map((transactions) => JSON.stringify({ type: 'list', transactions }));
      const requests = bodies.map((body) => ({ headers, body }));
      return { method: 'POST', path: apiPath(stage, '/authorizations'), requests };
    },
  },
  /** `POST /claims/execute` with 10 transfers: every claim is confirmed when its request is answered. It has no floor. */
  claims: {
    title: '10 claims',
    requests: CLAIM_REQUESTS,
    withoutPool: false,
    async prepare(stage, count) {
      const claimed = Math.min(count, CLAIM_REQUESTS) * CLAIMS_PER_REQUEST;
      const { buyer, transfers } = await openSales(await stage.market(), claimed);
      const headers = jsonOf(await buyer.token());
      const requests = inGroups(transfers, CLAIMS_PER_REQUEST).map((group) => {
        return {
          headers,
          body: JSON.stringify({ tickets: group.map((transfer) => ({ tx: transfer.toString('hex') })) }),
        };
      });
      return { method: 'POST', path: apiPath(stage, '/claims/execute'), requests };
    },
  },
} satisfies Record<string, Path>;

export type PathName = keyof typeof PATHS;

export const PATH_NAMES = Object.keys(PATHS) as PathName[];

export function isPathName(name: string): name is PathName {
  return name in PATHS;
}

async function listingsOf({ chain, marketplace, lister, permits }: Market, count: number): Promise<string[]> {
  const blockhash = await chain.gateway.latestBlockhash();
  const payer = marketplace.publicKey.toBase58();
  const accounts = { owner: lister.wallet, authority: chain.authority, marketplace: payer };
  const wanted = Array.from({ length: count }, (_, at) => permits.listings[at % permits.listings.length] ?? '');
  return inBatches(wanted, async (permit) => {
    const list = encodeInstruction(chain.programId, 'create_listing_v1', { ...accounts, permit }, { price: 1_000n });
    return (await transactionOf([freshPrice(), list], blockhash, [payer], signerOf(marketplace))).toString('base64');
  });
}

/** Whole groups; what is left over goes. */
function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.floor(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
