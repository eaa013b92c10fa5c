import { describe, expect, it } from 'vitest';
import { approvalOf } from '../../../src/client/approvals.ts';
import { editClient } from '../../../src/client/edit-client.ts';
import { CLIENT_STEPS } from '../../../src/client/life-cycle.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Client } from '../../../src/entities/client.ts';
import { authorizeError } from '../../adapters/oauth/authorize-error.ts';
import { authorize, callFan, codeForm, consent, login, postForm } from '../../support/partner.ts';
import { readCodesFromLog } from '../../support/production.ts';
import { testApp } from '../../support/test-app.ts';
import { ANN, BOB, clientAt, EVE, edit, readClient, restore, reviewsOf, step } from './production-client.ts';

const app = await testApp();

const trailOf = async (subject: string) =>
  (await app.context().em.find(AuditEntry, { subject }, { orderBy: { id: 'asc' } })).map(
    ({ actor, action, details }) => [actor, action, details.reason ?? details.note],
  );

describe('a production client', () => {
  it('goes from draft to enabled through two people, each step with its reason on record', async () => {
    const { id, status } = await clientAt(app, 'enabled');
    expect(status).toBe('enabled');
    expect(await trailOf(id)).toEqual([
      [ANN, 'client.registered', undefined],
      [ANN, 'client.submitted', 'Please have a look'],
      [BOB, 'client.approved', 'All good'],
      [BOB, 'client.enabled', 'Go-live today'],
    ]);
    expect(await reviewsOf(app, id)).toMatchObject([
      { submittedBy: ANN, note: 'Please have a look', decision: 'approved', decidedBy: BOB, reason: 'All good' },
    ]);
  });

  it('rejected or withdrawn, can be submitted again', async () => {
    const { id, version } = await clientAt(app, 'in_review');
    await step(app, 'reject', id, BOB, { version, reason: 'Whose domain is it?' });
    expect((await readClient(app, id)).status).toBe('rejected');
    await step(app, 'submit', id, ANN, { reason: 'It is ours' });
    expect((await step(app, 'withdraw', id, ANN, { reason: 'Not yet' })).status).toBe('draft');
    await step(app, 'submit', id, ANN, { reason: 'Now' });
    expect((await reviewsOf(app, id)).map(({ decision }) => decision ?? 'open')).toEqual([
      'rejected',
      'withdrawn',
      'open',
    ]);
  });

  it('enabled, signs fans in; suspended, its very next call is refused; enabled again, its grants live on', async () => {
    const client = await clientAt(app, 'enabled');
    const choice = { clientId: client.id, redirectUri: client.redirectUris[0] ?? '', scope: client.scopes.join(' ') };
    const codeFor = readCodesFromLog(app);
    const started = await authorize(app, choice);
    await login(app, started, 'phone.sendCode', { phone: '+12025550177' });
    await login(app, started, 'phone.verifyCode', { code: codeFor('+12025550177') });
    const code = (await consent(app, started)).searchParams.get('code') ?? '';
    const { body } = await postForm(app, '/oauth2/token', codeForm({ ...started, code }));
    const tickets = async () => (await callFan(app, '/tickets', String(body.access_token))).status;
    expect(await tickets()).toBe(200);
    await step(app, 'suspend', client.id, BOB, { reason: 'It asks for codes by mail' });
    expect(await tickets()).toBe(401);
    expect(await authorizeError(app, choice)).toBe('unauthorized_client');
    await step(app, 'enable', client.id, BOB, { reason: 'It stopped' });
    expect(await tickets()).toBe(200);
  });
});

describe('D-131: two people', () => {
  it('who submitted a client can not approve it, and nothing changes', async () => {
    const { id, version } = await clientAt(app, 'in_review');
    await expect(step(app, 'approve', id, ANN, { version })).rejects.toMatchObject({
      code: 'forbidden',
      message: 'You submitted this for review: someone else has to approve it.',
    });
    expect(await readClient(app, id)).toMatchObject({ status: 'in_review', version });
    expect((await reviewsOf(app, id))[0]?.decision).toBeNull();
  });

  it('nor can who edited it in review, also where somebody else edited it after them', async () => {
    const { id, version } = await clientAt(app, 'in_review');
    const one = await editClient(app.context(), { clientId: id, version, changes: { scopes: ['openid'] } }, BOB);
    const two = await editClient(
      app.context(),
      { clientId: id, version: one.version, changes: { redirectUris: ['https://resale.example/new'] } },
      EVE,
    );
    for (const actor of [BOB, EVE, ANN]) {
      await expect(step(app, 'approve', id, actor, { version: two.version })).rejects.toMatchObject({
        code: 'forbidden',
      });
    }
    await step(app, 'approve', id, 'staff:stf_zoe', { version: two.version });
    const [review] = await reviewsOf(app, id);
    expect(review?.registration).toMatchObject({ scopes: ['openid'], redirectUris: ['https://resale.example/new'] });
    expect(review?.editors).toEqual([BOB, EVE]);
  });
});

describe('a decision', () => {
  it('about a version that was edited since is refused: nobody approves what they have not seen', async () => {
    const { id, version } = await clientAt(app, 'in_review');
    await editClient(app.context(), { clientId: id, version, changes: { scopes: ['openid'] } }, ANN);
    for (const decision of ['approve', 'reject'] as const) {
      await expect(step(app, decision, id, BOB, { version })).rejects.toMatchObject({
        code: 'stale_edit',
        message: expect.stringContaining(`version ${version + 1}`),
      });
    }
  });

  it.each(['', ' \n ', 'x'.repeat(1001)])('needs a reason of 1 to 1,000 characters: %j is none', async (reason) => {
    for (const name of CLIENT_STEPS) {
      const field = name === 'submit' ? 'note' : 'reason';
      await expect(step(app, name, app.kit.client_id, BOB, { version: 1, reason })).rejects.toMatchObject({
        code: 'invalid_request',
        message: `${field} must have 1 to 1,000 characters.`,
      });
    }
  });

  it('is not for sandbox clients, nor for clients that are not there', async () => {
    await expect(step(app, 'submit', app.kit.client_id, ANN)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('sandbox'),
    });
    for (const id of ['client_01h455vb4pex5vsknk084sn02q', 'nonsense', app.kit.test_users[0]?.id ?? '']) {
      await expect(step(app, 'suspend', id, BOB)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe('enabling', () => {
  it.each<Partial<Client>>([
    { redirectUris: ['https://evil.example/'] },
    { scopes: ['openid'] },
    { loopbackAnyPort: true },
  ])('is refused where the registration is not the approved one, whoever changed it: %o', async (change) => {
    const { id } = await clientAt(app, 'approved');
    await app.context().em.nativeUpdate(Client, { id }, change);
    await expect(step(app, 'enable', id, BOB)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('changed since it was approved'),
    });
    expect((await readClient(app, id)).status).toBe('approved');
  });

  it('goes by any approval of what is in force, and by no review that ended otherwise', async () => {
    const { id } = await clientAt(app, 'approved');
    const approved = async () => (await approvalOf(app.context(), await readClient(app, id)))?.id;
    const [first] = await reviewsOf(app, id);
    const { version } = await edit(app, id, { redirectUris: ['https://resale.example/second'] });
    expect(await approved()).toBe(first?.id);
    await step(app, 'approve', id, BOB, { version });
    expect(await approved()).toBe((await reviewsOf(app, id)).at(-1)?.id);
    await restore(app, id, first?.id ?? '');
    expect(await approved()).toBe(first?.id);
    const third = await edit(app, id, { redirectUris: ['https://resale.example/third'] });
    await step(app, 'reject', id, BOB, { version: third.version });
    await app.context().em.nativeUpdate(Client, { id }, { redirectUris: ['https://resale.example/third'] });
    await expect(step(app, 'enable', id, BOB)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('and of a client that nobody ever approved', async () => {
    const { id } = await clientAt(app, 'draft');
    await app.context().em.nativeUpdate(Client, { id }, { status: 'suspended' });
    await expect(step(app, 'enable', id, BOB)).rejects.toMatchObject({ code: 'conflict' });
  });
});
