import { describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { Client } from '../../../../src/entities/client.ts';
import { setClientLogo } from '../../../../src/partners/client/client-logo.ts';
import { type ClientEdit, editClient } from '../../../../src/partners/client/edit-client.ts';
import type { ClientRegistration } from '../../../../src/partners/client/lint-registration.ts';
import { registerClient } from '../../../../src/partners/client/register-client.ts';
import { approvalOf, changesInForce } from '../../../../src/partners/client/review.ts';
import { setKillSwitch } from '../../../../src/partners/kill-switch/kill-switch.ts';
import { registerPartner } from '../../../../src/partners/partner/register-partner.ts';
import { uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { makeClient } from '../../../support/make-client.ts';
import { refused } from '../../../support/refused.ts';
import { testApp } from '../../../support/test-app.ts';
import { waitingForALock } from '../../../support/waiting-for-a-lock.ts';
import { png } from './logo-images.ts';
import { ANN, BOB, clientAt, EVE, edit, REGISTRATION, readClient, reviewsOf, step } from './production-client.ts';

const app = await testApp();
const context = app.context();
const partner = await registerPartner(context, 'Resale Ltd', 'staff:ann');
await context.em.flush();

describe('editing a client', () => {
  function edit(client: Client, changes: ClientEdit['changes'], more: Partial<ClientEdit> = {}, actor = ANN) {
    return editClient(app.context(), { clientId: client.id, version: client.version, changes, ...more }, actor);
  }

  const sandboxClient = async () => readClient(app, await makeClient(app));

  it('changes what is named and nothing else; CORS origins follow, and what was before stays on record', async () => {
    const client = await sandboxClient();
    const redirectUris = ['http://127.0.0.1:5000/cb', 'https://app.example/cb'];
    const changes = { name: ' Front Door ', redirectUris, loopbackAnyPort: true, refreshRetryWindow: 30 };
    const edited = await edit(client, changes);
    expect(edited).toMatchObject({
      name: 'Front Door',
      redirectUris,
      corsOrigins: ['http://127.0.0.1:5000', 'https://app.example'],
      loopbackAnyPort: true,
      scopes: client.scopes,
      refreshRetryWindow: 30,
      status: 'sandbox-ready',
      version: client.version + 1,
    });
    expect(await readClient(app, client.id)).toMatchObject({ name: 'Front Door', version: client.version + 1 });
    const [, entry] = await app.context().em.find(AuditEntry, { subject: client.id }, { orderBy: { id: 'asc' } });
    expect(entry).toMatchObject({
      actor: ANN,
      action: 'client.edited',
      details: {
        before: { name: client.name, redirectUris: client.redirectUris, refreshRetryWindow: 0 },
        after: { name: 'Front Door', redirectUris, refreshRetryWindow: 30 },
      },
    });
    const same = await edit(edited, { name: edited.name, scopes: [...edited.scopes] });
    expect(same.version, 'nothing new is no edit').toBe(edited.version);
    expect(await app.context().em.count(AuditEntry, { subject: client.id, action: 'client.edited' })).toBe(1);
  });

  it('of a version that somebody else has changed is refused and changes nothing', async () => {
    const client = await sandboxClient();
    await edit(client, { name: 'First' }, {}, EVE);
    await expect(edit(client, { name: 'First' }), 'even where it changes nothing').rejects.toEqual(
      refused('stale_edit'),
    );
    await expect(edit(client, { name: 'Second' })).rejects.toEqual(
      refused('stale_edit', `version ${client.version + 1}`),
    );
    expect((await readClient(app, client.id)).name).toBe('First');
  });

  it('at the same moment as another of its version: one of them is made', async () => {
    const client = await sandboxClient();
    const { em } = app.context();
    const edits = await em.transactional(async (held) => {
      await held.execute('select 1 from client where id = ? for update', [uuidOf('client', client.id)]);
      const both = Promise.allSettled([edit(client, { name: 'One' }), edit(client, { name: 'Two' }, {}, EVE)]);
      // both wait for the row
      await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(2);
      return { both };
    });
    const outcomes = await edits.both;
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'stale_edit' } });
    expect((await readClient(app, client.id)).version).toBe(client.version + 1);
    expect(await app.context().em.count(AuditEntry, { subject: client.id, action: 'client.edited' })).toBe(1);
  });

  it.each<[ClientEdit['changes'], string]>([
    [{ name: 'a\u0000b' }, 'control characters'],
    [{ redirectUris: ['https://a.example/#x'] }, 'redirectUris[0] must have no fragment'],
    [{ scopes: ['fan:everything'] }, 'scopes: fan:everything is not a scope'],
    [{ refreshRetryWindow: 31 }, 'refreshRetryWindow must be'],
    [{ refreshRetryWindow: 1.5 }, 'refreshRetryWindow must be'],
    [{ privacyUrl: 'javascript:alert(1)' }, 'privacyUrl must begin with https://'],
    [{ redirectUris: ['https://a.example/'], loopbackAnyPort: true }, 'loopbackAnyPort needs'],
  ])('to %j is refused, with the field and what is wrong', async (changes, message) => {
    await expect(edit(await sandboxClient(), changes)).rejects.toEqual(refused('invalid_request', message));
  });
});

const FIRST = ['https://resale.example/callback'];
const SECOND = [...FIRST, 'https://resale.example/second'];
const ZOE = 'staff:stf_zoe';
const pendingOf = async (id: string) => (await reviewsOf(app, id)).find(({ decision }) => decision === null);
const entriesOf = (subject: string) => app.context().em.find(AuditEntry, { subject }, { orderBy: { id: 'asc' } });

/** A live client with an edit of Ann's that waits for review. */
async function withPending(status: 'approved' | 'enabled' | 'suspended' = 'enabled'): Promise<Client> {
  const { id } = await clientAt(app, status);
  return edit(app, id, { redirectUris: SECOND });
}

describe('D-132: an edit of what approval freezes waits beside the approved registration', () => {
  it.each(['approved', 'enabled', 'suspended'] as const)(
    'of an %s client, whose row and status stay',
    async (status) => {
      const client = await clientAt(app, status);
      const changes = { redirectUris: SECOND, scopes: ['openid'] };
      const edited = await edit(app, client.id, changes, EVE, { note: ' A second page ' });
      expect(edited).toMatchObject({
        status,
        redirectUris: FIRST,
        scopes: client.scopes,
        corsOrigins: client.corsOrigins,
        version: client.version + 1,
      });
      const pending = await pendingOf(client.id);
      expect(pending).toMatchObject({ submittedBy: EVE, note: 'A second page', registration: changes, editors: [] });
      expect(changesInForce(edited, pending as never)).toEqual([
        { field: 'redirectUris', before: FIRST, after: SECOND, added: SECOND.slice(1), removed: [] },
        { field: 'scopes', before: client.scopes, after: ['openid'], added: [], removed: ['fan:tickets:read'] },
      ]);
      expect((await entriesOf(client.id)).at(-1)).toMatchObject({
        actor: EVE,
        action: 'client.submitted',
        details: { review: pending?.id, before: { redirectUris: FIRST }, after: { redirectUris: SECOND } },
      });
    },
  );

  it('holds a privacy page, which fans see once it is approved; approvals from before there was one still count', async () => {
    const { id } = await clientAt(app, 'enabled');
    const privacyUrl = 'https://resale.example/privacy';
    const { version } = await edit(app, id, { privacyUrl });
    expect(await readClient(app, id)).toMatchObject({ privacyUrl: '' });
    const approved = await step(app, 'approve', id, BOB, { version });
    expect(approved).toMatchObject({ privacyUrl });
    const again = await edit(app, id, { privacyUrl: '' });
    const back = await step(app, 'approve', id, BOB, { version: again.version });
    await app.context().em.execute(`update client_review set registration = registration - 'privacyUrl'`);
    await step(app, 'suspend', id, BOB);
    expect(await approvalOf(app.context(), back)).toBeDefined();
    expect((await step(app, 'enable', id, BOB)).status).toBe('enabled');
  });

  it('needs a note for the reviewers, and without one nothing is edited', async () => {
    const { id, version } = await clientAt(app, 'enabled');
    await expect(edit(app, id, { redirectUris: SECOND, name: 'Other' }, ANN, { note: ' ' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^note/),
    });
    expect(await readClient(app, id)).toMatchObject({ version, name: 'Resale' });
  });

  it('mends what was registered before today’s rules refused it', async () => {
    const { id } = await clientAt(app, 'enabled');
    const old = 'https://resale.example/{id}';
    await app.context().em.nativeUpdate(Client, { id }, { redirectUris: [old] });
    await edit(app, id, { name: 'Other' });
    await expect(edit(app, id, { refreshRetryWindow: 31 })).rejects.toThrow('refreshRetryWindow');
    await edit(app, id, { redirectUris: FIRST });
    expect(await readClient(app, id)).toMatchObject({ name: 'Other', redirectUris: [old] });
    expect(await pendingOf(id)).toMatchObject({ registration: { redirectUris: FIRST } });
  });

  it('takes further edits, and is withdrawn when it is edited back to what is in force', async () => {
    const { id } = await withPending();
    await edit(app, id, { scopes: ['openid'] }, EVE);
    expect(await pendingOf(id)).toMatchObject({
      submittedBy: ANN,
      editors: [EVE],
      registration: { redirectUris: SECOND, scopes: ['openid'] },
    });
    await edit(app, id, { redirectUris: FIRST, scopes: ['fan:tickets:read', 'openid'] }, EVE);
    expect(await pendingOf(id)).toBeUndefined();
    expect((await reviewsOf(app, id)).at(-1)).toMatchObject({ decision: 'withdrawn', decidedBy: EVE });
    expect((await entriesOf(id)).slice(-2).map(({ action }) => action)).toEqual(['client.edited', 'client.withdrawn']);
    expect(await readClient(app, id)).toMatchObject({ status: 'enabled', redirectUris: FIRST });
  });

  it('of a draft or a client in its first review is made directly', async () => {
    for (const status of ['draft', 'in_review'] as const) {
      const { id } = await clientAt(app, status);
      expect(await edit(app, id, { redirectUris: SECOND })).toMatchObject({ status, redirectUris: SECOND });
    }
  });

  it('in another order only is no edit', async () => {
    const { id, version, scopes } = await clientAt(app, 'enabled');
    expect(await edit(app, id, { scopes: scopes.toReversed() })).toMatchObject({ version, scopes });
    expect(await pendingOf(id)).toBeUndefined();
  });
});

describe('approving the edit of a live client', () => {
  it('brings it into force, whatever the status, with what it changed on record', async () => {
    for (const status of ['approved', 'enabled', 'suspended'] as const) {
      const { id, version } = await withPending(status);
      const approved = await step(app, 'approve', id, BOB, { version, reason: 'Their domain' });
      const corsOrigins = ['https://resale.example'];
      expect(approved).toMatchObject({ status, redirectUris: SECOND, version: version + 1, corsOrigins });
      expect(await approvalOf(app.context(), approved)).toMatchObject({ decidedBy: BOB, reason: 'Their domain' });
      expect((await entriesOf(id)).at(-1)).toMatchObject({
        actor: BOB,
        action: 'client.approved',
        details: { before: { redirectUris: FIRST }, after: { redirectUris: SECOND } },
      });
    }
  });

  it('needs a second person: neither who submitted it nor who edited it since', async () => {
    const { id } = await withPending();
    const { version } = await edit(app, id, { scopes: ['openid'] }, BOB);
    for (const actor of [ANN, BOB]) {
      await expect(step(app, 'approve', id, actor, { version })).rejects.toEqual(refused('forbidden'));
    }
    expect(await readClient(app, id)).toMatchObject({ redirectUris: FIRST, version });
    expect((await step(app, 'approve', id, EVE, { version })).redirectUris).toEqual(SECOND);
  });

  it('by who withdrew it and submitted the same again is refused: that makes them its submitter', async () => {
    const { id } = await withPending();
    await step(app, 'withdraw', id, BOB);
    const { version } = await edit(app, id, { redirectUris: SECOND }, BOB);
    await expect(step(app, 'approve', id, BOB, { version })).rejects.toEqual(refused('forbidden'));
  });

  it('names the version that was seen, with every later edit', async () => {
    const { id, version } = await withPending();
    await edit(app, id, { redirectUris: ['https://evil.example/'] }, ANN);
    await expect(step(app, 'approve', id, BOB, { version })).rejects.toEqual(refused('stale_edit'));
    await expect(step(app, 'approve', id, BOB)).rejects.toEqual(refused('invalid_request'));
    expect((await readClient(app, id)).redirectUris).toEqual(FIRST);
  });

  it.each(['reject', 'withdraw'] as const)(
    'or not (%s) leaves what is in force, and another edit can follow',
    async (name) => {
      const { id, version } = await withPending();
      expect(await step(app, name, id, BOB, { version })).toMatchObject({ status: 'enabled', redirectUris: FIRST });
      await expect(step(app, 'approve', id, ZOE, { version: version + 1 })).rejects.toEqual(
        refused('conflict', 'The client is enabled and has no open review.'),
      );
      await edit(app, id, { scopes: ['openid'] });
      expect((await pendingOf(id))?.registration).toMatchObject({ redirectUris: FIRST, scopes: ['openid'] });
    },
  );
});

describe('while an edit waits', () => {
  it('name and retry window are edited directly, and approval keeps them', async () => {
    const { id } = await withPending();
    const renamed = await edit(app, id, { name: 'Resale Plus', refreshRetryWindow: 10 }, BOB);
    expect(renamed).toMatchObject({ name: 'Resale Plus', refreshRetryWindow: 10, redirectUris: FIRST });
    const pending = await pendingOf(id);
    expect(pending).toMatchObject({ editors: [], registration: { name: 'Resale Plus', redirectUris: SECOND } });
    // renaming is no part of the review, so Bob is still a second person
    const approved = await step(app, 'approve', id, BOB, { version: renamed.version });
    expect(approved).toMatchObject({ name: 'Resale Plus', refreshRetryWindow: 10, redirectUris: SECOND });
  });

  it('one edit of both is split: the name counts now, the redirect URIs wait', async () => {
    const { id } = await clientAt(app, 'enabled');
    const edited = await edit(app, id, { name: 'Both', redirectUris: SECOND });
    expect(edited).toMatchObject({ name: 'Both', redirectUris: FIRST });
    expect((await entriesOf(id)).slice(-2)).toMatchObject([
      { action: 'client.edited', details: { before: { name: 'Resale' }, after: { name: 'Both' } } },
      { action: 'client.submitted', details: { after: { redirectUris: SECOND } } },
    ]);
  });

  it('a logo changes directly, and a decision names the version with it', async () => {
    const { id, version } = await withPending();
    await setClientLogo(app.context(), id, png().toString('base64'), BOB);
    await expect(step(app, 'approve', id, BOB, { version })).rejects.toEqual(refused('stale_edit'));
    expect((await step(app, 'approve', id, BOB, { version: version + 1 })).redirectUris).toEqual(SECOND);
  });

  it('the client is suspended, enabled and stopped as ever', async () => {
    const { id } = await withPending();
    expect((await step(app, 'suspend', id, BOB)).status).toBe('suspended');
    expect((await step(app, 'enable', id, BOB)).status).toBe('enabled');
    await setKillSwitch(app.context(), { kind: 'client', clientId: id }, 'Breach', BOB);
    const { version } = await readClient(app, id);
    expect((await step(app, 'approve', id, BOB, { version })).redirectUris).toEqual(SECOND);
  });
});

describe('registerClient', () => {
  it.each([
    ['sandbox', 'sandbox-ready'],
    ['production', 'draft'],
  ] as const)('a %s client begins as %s, with its origins, and is audited', async (mode, status) => {
    const registration = { ...REGISTRATION, mode, redirectUris: ['https://a.example/x', 'https://a.example/y'] };
    const { id } = registerClient(context, partner, registration, ANN);
    await context.em.flush();
    expect(id).toMatch(/^client_[0-9a-z]{26}$/);
    const read = await app.context().em.findOneOrFail(Client, { id }, { populate: ['partner'] });
    expect(read).toMatchObject({ ...registration, status, corsOrigins: ['https://a.example'] });
    expect(read.partner.id).toBe(partner.id);
    const entry = await app.context().em.findOneOrFail(AuditEntry, { subject: id });
    expect(entry).toMatchObject({ actor: ANN, action: 'client.registered', details: registration });
  });

  it.each<[Partial<ClientRegistration>, string]>([
    [{ name: '' }, 'name must have'],
    // by the rules of `redirect-uri.test.ts`
    [
      { redirectUris: ['https://resale.example/ok', 'http://resale.example/'] },
      'redirectUris[1] must begin with https',
    ],
    [{ mode: 'sandbox', redirectUris: ['http://resale.example/cb'] }, 'may begin with http:// only'],
    [{ redirectUris: [] }, 'redirectUris must have 1 to 50'],
    [{ redirectUris: Array(51).fill(REGISTRATION.redirectUris[0]) }, 'redirectUris'],
    [{ redirectUris: [...REGISTRATION.redirectUris, ...REGISTRATION.redirectUris] }, 'redirectUris[1] is a duplicate'],
    [{ scopes: ['openid', 'fan:everything'] }, 'scopes: fan:everything is not a scope'],
    [{ scopes: ['openid', 'openid'] }, 'scopes: openid is a duplicate'],
    [{ scopes: [] }, 'scopes must have'],
  ])('refuses %j, with the field and what is wrong', (changes, fault) => {
    const register = () => registerClient(context, partner, { ...REGISTRATION, ...changes }, ANN);
    expect(register).toThrow(refused('invalid_request', fault) as Error);
  });
});

it('a partner has no name that another one has, also with spaces around it', async () => {
  await expect(registerPartner(app.context(), ' Resale Ltd ', 'staff:ann')).rejects.toEqual(refused('conflict'));
});
