import { afterAll, expect, it } from 'vitest';
import { newId, type Uuid, uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { confirmClaims, failClaim } from '../../../../src/tickets/claim/end-claims.ts';
import type { LandedClaim, StoredClaim } from '../../../../src/tickets/claim/stored-claim.ts';
import { oneConnection, PLAN_IS_KEPT } from '../../../support/one-connection.ts';
import { testApp } from '../../../support/test-app.ts';

const CLAIMS = 2_000;
/** Of them, and of index entries that lead to them. */
const FEW = 40;

const app = await testApp();
const one = oneConnection(app);
afterAll(() => one.close());

/** Of grants and permits that are not there. */
const insertClaims = (state: string) =>
  one.unchecked(
    `insert into claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction, recent_blockhash,
       judged_slot, state, created_at, updated_at)
     select gen_random_uuid(), gen_random_uuid()::text, gen_random_uuid(), gen_random_uuid(), 'w', 'w', '', 'b', 1, '${state}', now(), now()
     from generate_series(1, ${CLAIMS})`,
  );

it('the end of a claim is written by its id: the open claims of others are not read', async () => {
  const claim = { id: uuidOf('clm', newId('clm')) as Uuid, state: 'submitted' } as StoredClaim;
  const landed: LandedClaim = { claim, slot: 1 };
  async function end(): Promise<void> {
    await confirmClaims(one.pool, new Date(), [{ ...landed, permitRead: true, requestId: null }]);
    await failClaim({ pool: one.pool, now: () => new Date(), requestId: null }, claim, 'refused', true);
  }
  // those of the last sale: statistics say that none is open
  await insertClaims('confirmed');
  await one.pool.query('vacuum analyze claim');
  for (let time = 0; time < PLAN_IS_KEPT; time++) await end();
  await insertClaims('submitted');
  const before = await one.readOf('claim');
  await end();
  expect((await one.readOf('claim')) - before).toBeLessThan(FEW);
});
