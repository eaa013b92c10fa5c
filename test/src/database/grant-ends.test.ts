import { expect, it } from 'vitest';
import { GRANT_ENDS } from '../../../src/database/migrations/2026-11-26-grant-ends.ts';
import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import { endExpiredGrants } from '../../../src/grant/end-expired-grants.ts';
import { turnActionOff } from '../../../src/grant/switch-action.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import type { Id } from '../../../src/identifier/type-id.ts';
import { callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp({ env: { ACCESS_TOKEN_TTL: '600' } });

it('the migration 2026-11-26-grant-ends reads back what was consented to, and ends no grant that lives', async () => {
  const untouched = await signIn(app);
  const narrowed = await signIn(app);
  const emptied = await signIn(app);
  const off = (grantIds: string[], action: 'fan:tickets:read' | 'fan:listings:write') =>
    turnActionOff(app.context(), knownId('usr', app.kit.test_users[0]?.id ?? ''), { grantIds, action });
  await off([narrowed.grant_id, emptied.grant_id], 'fan:tickets:read');
  await off([emptied.grant_id], 'fan:listings:write');
  const { pool } = app.runtime;
  await pool.query('alter table consent_grant drop column consented_actions, drop column ends_after');
  for (const statement of GRANT_ENDS) await pool.query(statement);
  const consented = async (id: Id<'grant'>) =>
    (await app.context().em.findOneOrFail(ConsentGrant, { id })).consentedActions.toSorted();
  const ids = [untouched, narrowed, emptied].map((tokens) => tokens.grant_id);
  const all = ['fan:listings:write', 'fan:tickets:read'];
  expect(await Promise.all(ids.map(consented))).toEqual([all, all, all]);
  await endExpiredGrants(app.context());
  expect((await callFan(app, '/tickets', untouched.access_token)).status).toBe(200);
});
