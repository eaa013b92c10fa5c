import { describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { Fan } from '../../../../src/entities/fan.ts';
import { Wallet } from '../../../../src/entities/wallet.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { endAllAccess, endGrant, signOutFan } from '../../../../src/sign-in/fan/end-access.ts';
import { findFans } from '../../../../src/sign-in/fan/find-fans.ts';
import { registerFan } from '../../../../src/sign-in/fan/register-fan.ts';
import { REVEAL_WINDOW, revealPhone } from '../../../../src/sign-in/fan/reveal-phone.ts';
import { testUser } from '../../../adapters/fan-pages/login/login-calls.ts';
import { openPortal } from '../../../adapters/fan-pages/portal/portal-calls.ts';
import { makeClient } from '../../../support/make-client.ts';
import { authorize, callFan, login, signIn, verifyPhone } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();

/** What staff do for a fan. */
const ACTOR = 'staff:ann';

describe('a fan is found by a phone number', () => {
  it.each([
    ...['+12025550177', '+1 (202) 555-0177', '001 202 555 0177', '12025550177', '(202) 555-0177', '  202.555.0177 '],
    ...['+44 7400 123456', '0044 7400 123456', '447400123456'],
  ])('typed as %s', async (typed) => {
    const phone = typed.includes('44') ? '+447400123456' : '+12025550177';
    const fan = await registerFan(app.context(), 'production', phone);
    expect((await findFans(app.context(), typed)).map(({ id }) => id)).toEqual([fan.id]);
  });

  it('in both modes, sandbox first, and nobody where nobody has it', async () => {
    const production = await registerFan(app.context(), 'production', '+12025550178');
    const sandbox = await registerFan(app.context(), 'sandbox', '+12025550178');
    const found = await findFans(app.context(), '202-555-0178');
    expect(found.map(({ id }) => id)).toEqual([sandbox.id, production.id]);
    expect(await findFans(app.context(), '202-555-9999')).toEqual([]);
  });

  it.each(['', 'hello', '12', '+'])('"%s" is no phone number', async (typed) => {
    await expect(findFans(app.context(), typed)).rejects.toMatchObject({ code: 'invalid_phone' });
  });
});

describe('a fan’s phone number', () => {
  it('is shown whole with a reason, which is on record with who asked', async () => {
    const fan = await registerFan(app.context(), 'production', '+12025550179');
    const phone = await revealPhone(app.context(), { fanId: fan.id, reason: 'calls us back' }, ACTOR);
    expect(phone).toBe('+12025550179');
    const entry = await app.context().em.findOneOrFail(AuditEntry, { subject: fan.id });
    expect(entry).toMatchObject({ actor: ACTOR, action: 'fan.phone_revealed', details: { reason: 'calls us back' } });
    expect(JSON.stringify(entry.details)).not.toContain('0179');
  });

  it('stays hidden without a reason, and there is nothing to show where there is no fan', async () => {
    const fan = await registerFan(app.context(), 'production', '+12025550180');
    const unreasoned = revealPhone(app.context(), { fanId: fan.id, reason: ' ' }, ACTOR);
    await expect(unreasoned).rejects.toMatchObject({ code: 'invalid_request' });
    const nobody = revealPhone(app.context(), { fanId: 'usr_nobody', reason: 'why not' }, ACTOR);
    await expect(nobody).rejects.toMatchObject({ code: 'not_found' });
    expect(await app.context().em.count(AuditEntry, { subject: fan.id, action: 'fan.phone_revealed' })).toBe(0);
  });
});

it.each(['staff:bob', 'service:sva_bob'])(
  'many phone numbers in a short time: need a reason of their own from the 21st on: %s',
  async (actor) => {
    const fan = await registerFan(app.context(), 'production', '+12025550181');
    const request = { fanId: fan.id, reason: 'calls back' };
    const reveal = (more = {}, context = app.context()) => revealPhone(context, { ...request, ...more }, actor);
    // at once, so that none of them has been counted before another asks
    const answers = await Promise.allSettled(Array.from({ length: 23 }, () => reveal()));
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    expect(refused.map(({ code }) => code)).toEqual(Array(3).fill('reason_required'));
    expect(refused[0].message).toContain('more than 20');
    const whole = await revealPhone(app.context(), request, `${actor}-else`);
    expect(whole).toBe('+12025550181');

    expect(await reveal({ bulkReason: 'the venue burned down' })).toBe('+12025550181');
    const details = { reason: 'calls back', bulkReason: 'the venue burned down' };
    expect(await app.context().em.count(AuditEntry, { actor, details })).toBe(1);
    // it is for as many again
    for (let index = 0; index < 20; index++) await reveal();
    await expect(reveal()).rejects.toMatchObject({ code: 'reason_required' });
    const later = new Date(Date.now() + REVEAL_WINDOW * 1000 + 1000);
    expect(await reveal({}, { ...app.context(), now: () => later })).toBe('+12025550181');
  },
);

describe('what support ends for a fan whose phone is lost', () => {
  it('all access: every app is refused with the next call, each grant has its entry, and a second time changes nothing', async () => {
    const [first, second] = [await signIn(app), await signIn(app, { clientId: await makeClient(app) })];
    const { fan } = await app.context().em.findOneOrFail(ConsentGrant, { id: first.grant_id as never });
    const request = { fanId: fan.id, reason: 'phone stolen' };
    for (const _ of [1, 2]) expect((await endAllAccess(app.context(), request, ACTOR)).id).toBe(fan.id);
    for (const { access_token: token, grant_id: subject } of [first, second]) {
      expect((await callFan(app, '/tickets', token)).status).toBe(401);
      const [entry, ...more] = await app.context().em.find(AuditEntry, { subject, action: 'grant.revoked' });
      expect(more).toEqual([]);
      expect(entry).toMatchObject({ actor: ACTOR, details: { reason: 'revoked_by_staff', note: 'phone stolen' } });
    }
    await expect(endAllAccess(app.context(), { ...request, reason: '' }, ACTOR)).rejects.toThrow('reason');
    await expect(endAllAccess(app.context(), { ...request, fanId: 'usr_x' }, ACTOR)).rejects.toThrow('usr_x');
  });

  it('sign out everywhere: visits to the portal and sign-ins under way end; apps keep their access', async () => {
    const { grant_id: id, access_token: token } = await signIn(app);
    const { fan } = await app.context().em.findOneOrFail(ConsentGrant, { id: id as never });
    const portal = await openPortal(app).signIn(testUser(app));
    const underWay = await authorize(app);
    await verifyPhone(app, underWay);
    const request = { fanId: fan.id, reason: 'phone stolen' };
    await signOutFan(app.context(), request, ACTOR);
    expect(await portal.get('session.get')).toMatchObject({ step: 'phone' });
    expect(await login(app, underWay, 'session.get').catch((error: Error) => error.message)).toContain('expired');
    expect((await callFan(app, '/tickets', token)).status).toBe(200);
    const where = { subject: fan.id, action: 'fan.signed_out' };
    const entry = await app.context().em.findOneOrFail(AuditEntry, where);
    expect(entry).toMatchObject({ actor: ACTOR, details: { reason: 'phone stolen', visits: 1, signIns: 1 } });
  });
});

describe('a grant that staff end', () => {
  it('is over with the next call; the reason is on record; a second time is a conflict', async () => {
    const { grant_id: grantId, access_token: token } = await signIn(app);
    const grant = await endGrant(app.context(), { grantId, reason: 'the fan asked by e-mail' }, ACTOR);
    expect(grant).toMatchObject({ id: grantId, revokedReason: 'revoked_by_staff' });
    expect((await callFan(app, '/tickets', token)).status).toBe(401);
    const again = endGrant(app.context(), { grantId, reason: 'once more' }, ACTOR);
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
    const entries = await app.context().em.find(AuditEntry, { subject: grantId, action: 'grant.revoked' });
    expect(entries.map(({ actor, details }) => ({ actor, details }))).toEqual([
      { actor: ACTOR, details: { reason: 'revoked_by_staff', note: 'the fan asked by e-mail' } },
    ]);
  });

  it('must be there, and needs a reason', async () => {
    const unknown = endGrant(app.context(), { grantId: 'grant_x', reason: 'why not' }, ACTOR);
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
    const { grant_id: grantId } = await signIn(app);
    const unreasoned = endGrant(app.context(), { grantId, reason: '' }, ACTOR);
    await expect(unreasoned).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await app.context().em.count(ConsentGrant, { id: grantId, revokedAt: null })).toBe(1);
  });
});

it('the key of a wallet never leaves with the entity: it is hidden from JSON', async () => {
  const fan = await registerFan(app.context(), 'production', '+12025550113');
  const wallet = await app.context().em.findOneOrFail(Wallet, { fan: fan.id });
  expect(JSON.stringify(wallet)).not.toContain('sealedKey');
});

describe('registerFan', () => {
  it('ten calls at once for one number make one fan with one wallet', async () => {
    const fans = await Promise.all(
      Array.from({ length: 10 }, () => registerFan(app.context(), 'production', '+12025550114')),
    );
    expect(new Set(fans.map(({ id }) => id)).size).toBe(1);
    const { em } = app.context();
    expect(await em.count(Fan, { phone: '+12025550114' })).toBe(1);
    expect(await em.count(Wallet, { fan: knownId('usr', fans[0]?.id ?? '') })).toBe(1);
  });

  it('an error other than a taken number is not swallowed', async () => {
    await expect(registerFan(app.context(), 'production', '+1202555011612345678')).rejects.toThrow(/too long/);
  });
});
