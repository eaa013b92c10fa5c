import { describe, expect, it } from 'vitest';
import { type ClientEdit, editClient } from '../../../src/client/edit-client.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import type { Client } from '../../../src/entities/client.ts';
import { uuidOf } from '../../../src/identifier/type-id.ts';
import { makeClient } from '../../support/make-client.ts';
import { authorize } from '../../support/partner.ts';
import type { TestApp } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';
import { ANN, EVE, readClient } from './production-client.ts';

const app = await testApp();

function edit(client: Client, changes: ClientEdit['changes'], more: Partial<ClientEdit> = {}, actor = ANN) {
  return editClient(app.context(), { clientId: client.id, version: client.version, changes, ...more }, actor);
}

async function waitingForLock(of: TestApp): Promise<number> {
  const [row] = await of.context().em.execute<{ count: number }[]>(
    `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%from client%for no key update'`,
  );
  return row?.count ?? 0;
}
const sandboxClient = async () => readClient(app, await makeClient(app));

describe('editing a client', () => {
  it('changes what is named and nothing else; CORS origins follow, and what was before stays on record', async () => {
    const client = await sandboxClient();
    const redirectUris = ['http://localhost:5000/cb', 'https://app.example/cb'];
    const edited = await edit(client, { name: ' Front Door ', redirectUris, refreshRetryWindow: 30 });
    expect(edited).toMatchObject({
      name: 'Front Door',
      redirectUris,
      corsOrigins: ['http://localhost:5000', 'https://app.example'],
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
  });

  it('counts for the next authorize request', async () => {
    const client = await sandboxClient();
    const redirectUri = 'http://localhost:4321/fresh';
    await expect(authorize(app, { clientId: client.id, redirectUri })).rejects.toThrow('400');
    await edit(client, { redirectUris: [redirectUri] });
    await authorize(app, { clientId: client.id, redirectUri });
  });

  it('of a version that somebody else has changed is refused and changes nothing', async () => {
    const client = await sandboxClient();
    await edit(client, { name: 'First' }, {}, EVE);
    await expect(edit(client, { name: 'Second' })).rejects.toMatchObject({
      code: 'stale_edit',
      message: expect.stringContaining(`version ${client.version + 1}`),
    });
    expect((await readClient(app, client.id)).name).toBe('First');
  });

  it('at the same moment as another of its version: one of them is made', async () => {
    const client = await sandboxClient();
    const { em } = app.context();
    const edits = await em.transactional(async (held) => {
      await held.execute('select 1 from client where id = ? for update', [uuidOf('client', client.id)]);
      const both = Promise.allSettled([edit(client, { name: 'One' }), edit(client, { name: 'Two' }, {}, EVE)]);
      // both wait for the row
      await expect.poll(() => waitingForLock(app), { timeout: 5_000 }).toBe(2);
      return { both };
    });
    const outcomes = await edits.both;
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'stale_edit' } });
    expect((await readClient(app, client.id)).version).toBe(client.version + 1);
    expect(await app.context().em.count(AuditEntry, { subject: client.id, action: 'client.edited' })).toBe(1);
  });

  it('of an old version is refused even where it changes nothing', async () => {
    const client = await sandboxClient();
    await edit(client, { name: 'First' }, {}, EVE);
    await expect(edit(client, { name: 'First' })).rejects.toMatchObject({ code: 'stale_edit' });
  });

  it('with nothing new is no edit', async () => {
    const client = await sandboxClient();
    expect((await edit(client, { name: client.name, scopes: [...client.scopes] })).version).toBe(client.version);
    expect(await app.context().em.count(AuditEntry, { subject: client.id, action: 'client.edited' })).toBe(0);
  });

  it.each<[ClientEdit['changes'], string]>([
    [{ name: '' }, 'name must have'],
    [{ name: 'a\u0000b' }, 'control characters'],
    [{ name: 'Fan\u202Eepop' }, 'name must have no invisible characters (U+202E)'],
    [{ redirectUris: ['https://x.example\\@y.example/'] }, 'redirectUris[0] has a character that a URI can not have'],
    [{ redirectUris: [] }, 'redirectUris must have'],
    [{ redirectUris: ['https://a.example/#x'] }, 'redirectUris[0] must have no fragment'],
    [{ scopes: ['fan:everything'] }, 'scopes: fan:everything is not a scope'],
    [{ refreshRetryWindow: 31 }, 'refreshRetryWindow must be'],
    [{ refreshRetryWindow: 1.5 }, 'refreshRetryWindow must be'],
    [{ privacyUrl: 'javascript:alert(1)' }, 'privacyUrl must begin with https://'],
    [{ redirectUris: ['https://a.example/'], loopbackAnyPort: true }, 'loopbackAnyPort needs'],
  ])('to %j is refused, with the field and what is wrong', async (changes, message) => {
    await expect(edit(await sandboxClient(), changes)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(message),
    });
  });

  it('any port on loopback can be switched on where there is such an address', async () => {
    const edited = await edit(await sandboxClient(), { redirectUris: ['http://127.0.0.1/cb'], loopbackAnyPort: true });
    await authorize(app, { clientId: edited.id, redirectUri: 'http://127.0.0.1:49152/cb' });
  });

  it('of a client that is not there is not_found', async () => {
    for (const clientId of ['client_01h455vb4pex5vsknk084sn02q', 'nonsense']) {
      await expect(editClient(app.context(), { clientId, version: 1, changes: {} }, ANN)).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });
});
