import { expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { revokeGrant } from '../../../../src/oauth/grant/revoke-grant.ts';
import { callFan, postForm, refreshForm, signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();

it('ends every token of the grant at once, and no other grant', async () => {
  const [one, other] = [await signIn(app), await signIn(app)];
  await revokeGrant(app.context(), { grantId: one.grant_id, reason: 'revoked_by_client', actor: 'client:test' });
  expect((await callFan(app, '/tickets', one.access_token)).status).toBe(401);
  expect((await postForm(app, '/oauth2/token', refreshForm(app, one.refresh_token))).body.error).toBe('invalid_grant');
  expect((await callFan(app, '/tickets', other.access_token)).status).toBe(200);
});

it('is audited once with its reason and keeps its first time, however often it is repeated', async () => {
  const { grant_id: id } = await signIn(app);
  await Promise.all(
    Array.from({ length: 5 }, () =>
      revokeGrant(app.context(), { grantId: id, reason: 'refresh_token_reuse', actor: 'client:test' }),
    ),
  );
  const { em } = app.context();
  const { revokedAt } = await em.findOneOrFail(ConsentGrant, { id });
  app.advance(60);
  await revokeGrant(app.context(), { grantId: id, reason: 'code_reuse', actor: 'client:test' });
  const entries = await em.find(AuditEntry, { action: 'grant.revoked', subject: id });
  expect(entries.map(({ actor, details }) => ({ actor, details }))).toEqual([
    { actor: 'client:test', details: { reason: 'refresh_token_reuse' } },
  ]);
  const after = await app.context().em.findOneOrFail(ConsentGrant, { id });
  expect(after.revokedAt).toEqual(revokedAt);
  expect(after.revokedReason).toBe('refresh_token_reuse');
  app.resetClock();
});
