import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approveClient } from '../../src/client/approve-client.ts';
import { lastApprovals } from '../../src/client/describe-changes.ts';
import { editClient } from '../../src/client/edit-client.ts';
import { enableClient } from '../../src/client/enable-client.ts';
import { rejectClient } from '../../src/client/reject-client.ts';
import { submitForReview } from '../../src/client/submit-for-review.ts';
import { suspendClient } from '../../src/client/suspend-client.ts';
import { withdrawReview } from '../../src/client/withdraw-review.ts';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { Client } from '../../src/entities/client.ts';
import { ClientReview } from '../../src/entities/client-review.ts';
import { authorizeError } from '../authorization/authorize-error.ts';
import { authorize, callFan, codeForm, consent, login, postForm } from '../support/partner.ts';
import { readCodesFromLog } from '../support/production.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { ANN, BOB, clientAt, EVE, readClient } from './production-client.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const reviewsOf = (client: string) =>
  app.context().em.find(ClientReview, { client }, { orderBy: { submittedAt: 'asc', id: 'asc' } });
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
    expect(await reviewsOf(id)).toMatchObject([
      { submittedBy: ANN, note: 'Please have a look', decision: 'approved', decidedBy: BOB, reason: 'All good' },
    ]);
  });

  it('rejected or withdrawn, can be submitted again', async () => {
    const { id, version } = await clientAt(app, 'in_review');
    await rejectClient(app.context(), { clientId: id, version, reason: 'Whose domain is it?' }, BOB);
    expect((await readClient(app, id)).status).toBe('rejected');
    await submitForReview(app.context(), id, 'It is ours', ANN);
    expect((await withdrawReview(app.context(), id, 'Not yet', ANN)).status).toBe('draft');
    await submitForReview(app.context(), id, 'Now', ANN);
    expect((await reviewsOf(id)).map(({ decision }) => decision ?? 'open')).toEqual(['rejected', 'withdrawn', 'open']);
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
    await suspendClient(app.context(), client.id, 'It asks for codes by mail', BOB);
    expect(await tickets()).toBe(401);
    expect(await authorizeError(app, choice)).toBe('unauthorized_client');
    await enableClient(app.context(), client.id, 'It stopped', BOB);
    expect(await tickets()).toBe(200);
  });
});

describe('D-131: two people', () => {
  it('who submitted a client can not approve it, and nothing changes', async () => {
    const { id, version } = await clientAt(app, 'in_review');
    await expect(approveClient(app.context(), { clientId: id, version, reason: 'Fine' }, ANN)).rejects.toMatchObject({
      code: 'forbidden',
      message: 'You submitted this client: somebody else must approve it.',
    });
    expect(await readClient(app, id)).toMatchObject({ status: 'in_review', version });
    expect((await reviewsOf(id))[0]?.decision).toBeNull();
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
      const decision = { clientId: id, version: two.version, reason: 'Fine' };
      await expect(approveClient(app.context(), decision, actor)).rejects.toMatchObject({ code: 'forbidden' });
    }
    await approveClient(app.context(), { clientId: id, version: two.version, reason: 'Fine' }, 'staff:stf_zoe');
    const [review] = await reviewsOf(id);
    expect(review?.registration).toMatchObject({ scopes: ['openid'], redirectUris: ['https://resale.example/new'] });
    expect(review?.editors).toEqual([BOB, EVE]);
  });
});

describe('a decision', () => {
  it('about a version that was edited since is refused: nobody approves what they have not seen', async () => {
    const { id, version } = await clientAt(app, 'in_review');
    await editClient(app.context(), { clientId: id, version, changes: { scopes: ['openid'] } }, ANN);
    for (const decide of [approveClient, rejectClient]) {
      await expect(decide(app.context(), { clientId: id, version, reason: 'Fine' }, BOB)).rejects.toMatchObject({
        code: 'stale_edit',
        message: expect.stringContaining(`version ${version + 1}`),
      });
    }
  });

  it.each(['', ' \n ', 'x'.repeat(1001)])('needs a reason of 1 to 1,000 characters: %j is none', async (reason) => {
    const context = app.context();
    const { client_id: id } = app.kit;
    const refusal = { code: 'invalid_request', message: expect.stringMatching(/^(reason|note) must have/) };
    await expect(submitForReview(context, id, reason, ANN)).rejects.toMatchObject(refusal);
    await expect(withdrawReview(context, id, reason, ANN)).rejects.toMatchObject(refusal);
    await expect(approveClient(context, { clientId: id, version: 1, reason }, BOB)).rejects.toMatchObject(refusal);
    await expect(rejectClient(context, { clientId: id, version: 1, reason }, BOB)).rejects.toMatchObject(refusal);
    await expect(enableClient(context, id, reason, BOB)).rejects.toMatchObject(refusal);
    await expect(suspendClient(context, id, reason, BOB)).rejects.toMatchObject(refusal);
  });

  it('is taken only from where it leads on', async () => {
    const decide = (id: string) => ({ clientId: id, version: 1, reason: 'x' });
    const steps: Record<string, [(id: string) => Promise<unknown>, Client['status'][]]> = {
      submit: [(id) => submitForReview(app.context(), id, 'x', ANN), ['draft', 'rejected']],
      withdraw: [(id) => withdrawReview(app.context(), id, 'x', ANN), ['in_review']],
      approve: [(id) => approveClient(app.context(), decide(id), BOB), ['in_review']],
      reject: [(id) => rejectClient(app.context(), decide(id), BOB), ['in_review']],
      enable: [(id) => enableClient(app.context(), id, 'x', BOB), ['approved', 'suspended']],
      suspend: [(id) => suspendClient(app.context(), id, 'x', BOB), ['enabled']],
    };
    const { id } = await clientAt(app, 'draft');
    for (const status of ['draft', 'in_review', 'approved', 'enabled', 'suspended', 'rejected'] as const) {
      for (const [step, from] of Object.values(steps).filter(([, from]) => !from.includes(status))) {
        await app.context().em.nativeUpdate(Client, { id }, { status });
        const message = `The client is ${status}; only ${from.join(' or ')} can be `;
        await expect(step(id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(message) });
      }
    }
  });

  it('is not for sandbox clients, nor for clients that are not there', async () => {
    await expect(submitForReview(app.context(), app.kit.client_id, 'x', ANN)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('sandbox'),
    });
    for (const id of ['client_01h455vb4pex5vsknk084sn02q', 'nonsense', app.kit.test_users[0]?.id ?? '']) {
      await expect(suspendClient(app.context(), id, 'x', BOB)).rejects.toMatchObject({ code: 'not_found' });
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
    await expect(enableClient(app.context(), id, 'Go', BOB)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('not as it was approved'),
    });
    expect((await readClient(app, id)).status).toBe('approved');
  });

  it('goes by the last approval, and by no review that ended otherwise', async () => {
    const first = await clientAt(app, 'enabled');
    const { id } = first;
    const approved = async () => (await lastApprovals(app.context(), [id])).get(id)?.registration.redirectUris;
    const edit = async (uri: string) => {
      const { version } = await readClient(app, id);
      const changes = { redirectUris: [uri] };
      return editClient(app.context(), { clientId: id, version, changes, confirmReview: true }, ANN);
    };
    const { version } = await edit('https://resale.example/second');
    await approveClient(app.context(), { clientId: id, version, reason: 'Fine' }, BOB);
    expect(await approved()).toEqual(['https://resale.example/second']);
    expect((await enableClient(app.context(), id, 'Go', BOB)).status).toBe('enabled');
    const third = await edit('https://resale.example/third');
    await rejectClient(app.context(), { clientId: id, version: third.version, reason: 'No' }, BOB);
    expect(await approved()).toEqual(['https://resale.example/second']);
  });

  it('and of a client that nobody ever approved', async () => {
    const { id } = await clientAt(app, 'draft');
    await app.context().em.nativeUpdate(Client, { id }, { status: 'suspended' });
    await expect(enableClient(app.context(), id, 'Go', BOB)).rejects.toMatchObject({ code: 'conflict' });
  });
});
