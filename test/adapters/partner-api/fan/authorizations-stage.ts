import { expect } from 'vitest';
import { z } from 'zod';
import { rows } from '../../../support/chain-app.ts';
import { chainStage } from '../../../support/chain-stage.ts';
import { authorizeListing, type postFan } from '../../../support/ticket-transactions.ts';

const ErrorResponse = z.strictObject({ message: z.string().min(10) });

/** For tests of `POST /authorizations`, whose `owner` is the seller's wallet. */
export async function authorizationsStage() {
  const stage = await chainStage();

  /** How much was ever signed and told so. */
  async function signedSoFar() {
    const [count] = await rows<{ signatures: number; audited: number }>(
      stage.app,
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
    if (status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(ErrorResponse.parse(answer.body).message).toMatch(message);
    expect(await signedSoFar()).toEqual(before);
    return answer;
  }

  return {
    ...stage,
    owner: stage.seller.wallet_address,
    expectRefusal,
    /** Expects listings of the seller to be refused. */
    expectRefused: (texts: (Buffer | string)[], status: number, code: string, message: RegExp) =>
      expectRefusal(() => authorizeListing(stage.app, stage.seller, 'list', texts), status, code, message),
  };
}
