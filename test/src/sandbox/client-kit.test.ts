import { describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Client } from '../../../src/entities/client.ts';
import { Permit } from '../../../src/entities/permit.ts';
import { SandboxKit, TestUser } from '../../../src/entities/test-user.ts';
import { createClientKit } from '../../../src/sandbox/create-client-kit.ts';
import { describeKit } from '../../../src/sandbox/starter-kit.ts';
import { freeTestPhones } from '../../../src/sandbox/test-phone.ts';
import { makeClient } from '../../support/make-client.ts';
import { callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { waitingForALock } from '../../support/waiting-for-a-lock.ts';

/** A starter kit for a client by one click. */
const app = await testApp();

async function kitFor(clientId: string, requestKey: string) {
  return createClientKit(app.context(), { clientId, requestKey }, 'staff:ann');
}

describe('a client’s starter kit', () => {
  it('is all that a first call needs: its test user signs in at the client and lists three tickets', async () => {
    const clientId = await makeClient(app);
    const kit = await kitFor(clientId, 'first');
    const context = app.context();
    const client = await context.em.findOneOrFail(Client, { id: clientId });
    const testUser = await context.em.findOneOrFail(TestUser, { fan: kit.fan.id }, { populate: ['fan'] });
    const { test_users, ...configuration } = await describeKit(context, client, [testUser]);
    expect(configuration).toMatchObject({ client_id: clientId, auth_url: app.origin, api_url: `${app.origin}/fan` });
    const [user] = test_users;
    const tokens = await signIn(app, { clientId, phone: user?.phone ?? '', code: user?.code ?? '' });
    const { body } = await callFan(app, '/tickets', tokens.access_token);
    expect((body.tickets as { event_name: string }[]).map(({ event_name }) => event_name)).toEqual(
      Array.from({ length: 3 }, () => 'Opening Night'),
    );
  });

  it('is made once for one key, by a second click, at the same time too; another key makes another', async () => {
    const clientId = await makeClient(app);
    const [one, same] = await Promise.all([kitFor(clientId, 'a'), kitFor(clientId, 'a')]);
    expect(same.id).toBe(one.id);
    expect((await kitFor(clientId, 'a')).id).toBe(one.id);
    expect((await kitFor(clientId, 'b')).id).not.toBe(one.id);
    const { em } = app.context();
    expect(await em.count(SandboxKit, { client: clientId })).toBe(2);
    expect(await em.count(Permit, { ticket: { owner: one.fan.id } })).toBe(3);
    expect(await em.count(AuditEntry, { subject: clientId, action: 'sandbox_kit.created' })).toBe(2);
  });

  it('waits for others who choose test phone numbers, so that two never choose the same', async () => {
    const clientId = await makeClient(app);
    const { chosen, making } = await app.context().em.transactional(async (em) => {
      const chosen = await freeTestPhones(em, 1);
      const making = kitFor(clientId, 'a');
      await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
      return { chosen, making };
    });
    expect(chosen).toHaveLength(1);
    expect((await making).requestKey).toBe('a');
  });

  it('is refused for a production client and where there is no client, and leaves nothing behind', async () => {
    const production = await makeClient(app, { mode: 'production', redirectUris: ['https://example.com/callback'] });
    const before = await app.context().em.count(TestUser);
    await expect(kitFor(production, 'a')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(kitFor('client_nobody', 'a')).rejects.toMatchObject({ code: 'not_found' });
    await expect(kitFor(await makeClient(app), '')).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await app.context().em.count(TestUser)).toBe(before);
  });
});
