import { bearer, JSON_BODY } from '../load.ts';
import { openSales } from '../stage/sales.ts';
import type { Path } from './path.ts';

const PER_REQUEST = 10;

/** `POST /claims/execute` with 10 transfers: every claim is confirmed when its request is answered. */
export const claims: Path = {
  title: '10 claims',
  requests: 64,
  connections: 32,
  withoutPool: false,
  async prepare(stage) {
    const market = await stage.market();
    const { buyer, transfers } = await openSales(market, claims.requests * PER_REQUEST);
    const headers = { ...JSON_BODY, ...bearer(buyer.token) };
    const requests = Array.from({ length: claims.requests }, (_, at) => {
      const claimed = transfers.slice(at * PER_REQUEST, (at + 1) * PER_REQUEST);
      return {
        headers,
        body: JSON.stringify({ tickets: claimed.map((transfer) => ({ tx: transfer.toString('hex') })) }),
      };
    });
    return { method: 'POST', path: `${new URL(stage.config.apiUrl).pathname}/claims/execute`, requests };
  },
};
