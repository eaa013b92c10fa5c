import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { type ChainApp, rows, startChainApp } from '../../support/chain-app.ts';
import { fundedMarketplace, type Marketplace, type postFan } from '../../support/ticket-transactions.ts';

const ErrorResponse = z.strictObject({ message: z.string().min(10) });

/**
 * The set-up of the tests of `POST /authorizations`: an app and a marketplace for the whole file, the cluster and the
 * clock put right after each test. Registers the hooks of the file that calls it.
 *
 * @returns `app` and `market`, to be read once the hooks have run, and what expects a refusal
 */
export function authorizationsStage() {
  let app: ChainApp;
  let market: Marketplace;
  beforeAll(async () => {
    app = await startChainApp();
    market = await fundedMarketplace(app);
  });
  afterAll(() => app.stop());
  afterEach(() => {
    app.proxy.reset();
    app.resetClock();
  });

  /** How much was ever signed and told so. */
  async function signedSoFar() {
    const [count] = await rows<{ signatures: number; audited: number }>(
      app,
      `select (select count(*)::int from listing_signature) as signatures,
         (select count(*)::int from audit_entry where action = 'listing.co_signed') as audited`,
    );
    return count;
  }

  /** Expects a refusal that left nothing signed. */
  async function expectRefusal(
    call: () => Promise<Awaited<ReturnType<typeof postFan>>>,
    status: number,
    code: string,
    message: RegExp,
  ) {
    const before = await signedSoFar();
    const answer = await call();
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status });
    expect(answer.headers.get('x-error-code')).toBe(code);
    expect(ErrorResponse.parse(answer.body).message).toMatch(message);
    expect(await signedSoFar()).toEqual(before);
    return answer;
  }

  const ownerOf = () => app.users[0].wallet_address;

  return {
    get app() {
      return app;
    },
    get market() {
      return market;
    },
    expectRefusal,
    ownerOf,
  };
}
