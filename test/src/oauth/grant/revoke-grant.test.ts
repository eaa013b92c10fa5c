import { expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { revokeGrant } from '../../../../src/oauth/grant/revoke-grant.ts';
import { signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();

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
  expect(entries).toMatchObject([{ actor: 'client:test', details: { reason: 'refresh_token_reuse' } }]);
  expect(entries).toHaveLength(1);
  const after = await app.context().em.findOneOrFail(ConsentGrant, { id });
  expect(after).toMatchObject({ revokedAt, revokedReason: 'refresh_token_reuse' });
  app.resetClock();
});
