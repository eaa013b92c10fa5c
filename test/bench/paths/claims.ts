import { bearer, JSON_BODY } from '../load.ts';
import { openSales } from '../stage/sales.ts';
import type { Path } from './path.ts';

const PER_REQUEST = 10;
const REQUESTS = 64;

/** `POST /claims/execute` with 10 transfers: every claim is confirmed when its request is answered. It has no floor. */
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
};

/** The bodies of requests with 10 transfers each. */
function inTens(transfers: readonly Buffer[]): string[] {
  return Array.from({ length: transfers.length / PER_REQUEST }, (_, at) => {
    const claimed = transfers.slice(at * PER_REQUEST, (at + 1) * PER_REQUEST);
    return JSON.stringify({ tickets: claimed.map((transfer) => ({ tx: transfer.toString('hex') })) });
  });
}
