import { expect, it } from 'vitest';
import { EDITS_BESIDE_APPROVED } from '../../../src/database/migrations/2026-11-26-edits-beside-approved.ts';
import { Client } from '../../../src/entities/client.ts';
import { testApp } from '../../support/test-app.ts';
import { BOB, clientAt, edit, readClient, reviewsOf, step } from '../client/production-client.ts';

const EDITED = ['https://resale.example/edited'];

const app = await testApp();

const migrate = async () => {
  for (const statement of EDITS_BESIDE_APPROVED) await app.context().em.execute(statement);
};

/** A client whose edit took it back to review, as it was done before: the edit is in its row. */
async function sentBack(redirectUris: string[]): Promise<Client> {
  const { id } = await clientAt(app, 'enabled');
  const { version } = await edit(app, id, { redirectUris });
  await step(app, 'approve', id, BOB, { version });
  await edit(app, id, { redirectUris: EDITED, loopbackAnyPort: false });
  const row = { status: 'in_review' as const, redirectUris: EDITED, corsOrigins: ['https://resale.example'] };
  await app.context().em.nativeUpdate(Client, { id }, row);
  return readClient(app, id);
}

it('a client that an edit had taken back to review has its approved registration again, and the edit waits beside it', async () => {
  const approved = [
    'https://a.example/cb?x=1',
    'https://a.example:8443/cb',
    'https://b.example/',
    'https://b.example/2',
  ];
  const { id, version } = await sentBack(approved);
  await migrate();

  expect(await readClient(app, id)).toMatchObject({
    status: 'approved',
    redirectUris: approved,
    corsOrigins: ['https://a.example', 'https://a.example:8443', 'https://b.example'],
    scopes: ['openid', 'fan:tickets:read'],
    loopbackAnyPort: false,
    version: version + 1,
  });
  const open = (await reviewsOf(app, id)).at(-1);
  expect(open).toMatchObject({ decision: null, registration: { redirectUris: EDITED } });
  expect(open?.note).toContain('in force again');
  expect((await step(app, 'enable', id, BOB)).redirectUris).toEqual(approved);
  expect((await step(app, 'approve', id, BOB, { version: version + 2 })).redirectUris).toEqual(EDITED);
});

it.each(['https://A.example/', 'https://a.example:443/cb', 'https://xn--a.example:0443/cb'])(
  'a redirect URI that a URL would write otherwise leaves the client in its review: %s',
  async (uri) => {
    const { id, version } = await sentBack([uri]);
    await migrate();
    expect(await readClient(app, id)).toMatchObject({ status: 'in_review', redirectUris: EDITED, version });
    expect((await step(app, 'approve', id, BOB, { version })).status).toBe('approved');
  },
);

it('first reviews, and clients that are in force, are left alone', async () => {
  const clients = [await clientAt(app, 'in_review'), await clientAt(app, 'enabled'), await clientAt(app, 'draft')];
  await edit(app, clients[1]?.id ?? '', { redirectUris: EDITED });
  const before = await Promise.all(clients.map(({ id }) => readClient(app, id)));
  await migrate();
  for (const { id, version, status } of before) expect(await readClient(app, id)).toMatchObject({ version, status });
});
