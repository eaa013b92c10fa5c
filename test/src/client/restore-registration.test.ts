import { describe, expect, it } from 'vitest';
import { restoreRegistration } from '../../../src/client/restore-registration.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { ClientReview } from '../../../src/entities/client.ts';
import { testApp } from '../../support/test-app.ts';
import { ANN, BOB, clientAt, EVE, edit, readClient, restore, reviewsOf, step } from './production-client.ts';

const FIRST = ['https://resale.example/callback'];
const OTHER = ['https://other.example/cb'];

const app = await testApp();

/** An enabled client whose redirect URI was changed by an approved edit. @returns the first approval too */
async function approvedTwice() {
  const { id, scopes } = await clientAt(app, 'enabled');
  const { version } = await edit(app, id, { redirectUris: OTHER });
  await step(app, 'approve', id, BOB, { version });
  const [first, second] = await reviewsOf(app, id);
  return { id, scopes, first: first?.id ?? '', second: second?.id ?? '' };
}

describe('D-144: an approved registration can be restored', () => {
  it('by one person, with a reason: it is in force with its origins, and the change is on record', async () => {
    const { id, first } = await approvedTwice();
    await edit(app, id, { name: 'Renamed', refreshRetryWindow: 5 });
    const { version } = await readClient(app, id);
    expect(await restore(app, id, first, ANN)).toMatchObject({
      status: 'enabled',
      name: 'Renamed',
      refreshRetryWindow: 5,
      redirectUris: FIRST,
      corsOrigins: ['https://resale.example'],
      version: version + 1,
    });
    const [entry] = await app.context().em.find(AuditEntry, { subject: id, action: 'client.restored' });
    expect(entry).toMatchObject({
      actor: ANN,
      details: {
        approval: first,
        reason: 'It broke sign-ins',
        before: { redirectUris: OTHER },
        after: { redirectUris: FIRST },
      },
    });
    expect((await step(app, 'suspend', id, BOB)).status).toBe('suspended');
    expect((await step(app, 'enable', id, BOB)).redirectUris).toEqual(FIRST);
  });

  it('and the later one after it', async () => {
    const { id, first, second } = await approvedTwice();
    await restore(app, id, first);
    expect((await restore(app, id, second)).redirectUris).toEqual(OTHER);
  });

  it('only as it was approved: no rejected, withdrawn or open review, and none of another client', async () => {
    const { id, first } = await approvedTwice();
    const { id: other } = await approvedTwice();
    const third = await edit(app, id, { redirectUris: ['https://third.example/'] });
    await step(app, 'reject', id, BOB, { version: third.version });
    await edit(app, id, { redirectUris: ['https://fourth.example/'] });
    const unapproved = (await reviewsOf(app, id)).filter(({ decision }) => decision !== 'approved');
    expect(unapproved.map(({ decision }) => decision)).toEqual(['rejected', null]);
    for (const review of unapproved) {
      await expect(restore(app, id, review.id)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(restore(app, other, first)).rejects.toMatchObject({ code: 'not_found' });
    await expect(restore(app, id, 'nonsense')).rejects.toMatchObject({ code: 'not_found' });
    expect((await readClient(app, id)).redirectUris).toEqual(OTHER);
  });

  it('not where it is in force already, nor over a version that was not seen, nor without a reason', async () => {
    const { id, first, second } = await approvedTwice();
    await expect(restore(app, id, second)).rejects.toMatchObject({ code: 'conflict' });
    const { version } = await readClient(app, id);
    await expect(restore(app, id, first, BOB, version - 1)).rejects.toMatchObject({ code: 'stale_edit' });
    const request = { clientId: id, reviewId: first, version, reason: ' ' };
    await expect(restoreRegistration(app.context(), request, BOB)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('not where the rules have changed so that nobody could register it now', async () => {
    const { id, first } = await approvedTwice();
    const review = await app
      .context()
      .em.findOneOrFail(ClientReview, { client: (await readClient(app, id)).id, id: first as never });
    const registration = { ...review.registration, scopes: ['fan:retired'] };
    await app.context().em.nativeUpdate(ClientReview, { id: review.id }, { registration });
    await expect(restore(app, id, first)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('fan:retired'),
    });
  });
});

describe('restoring while an edit waits', () => {
  it('keeps the edit, on top of what is in force now, for the version with it', async () => {
    const { id, first } = await approvedTwice();
    const added = 'https://third.example/cb';
    const { version } = await edit(app, id, { redirectUris: [...OTHER, added], scopes: ['openid'] }, EVE);
    const restored = await restore(app, id, first, BOB, version);
    expect(restored.redirectUris).toEqual(FIRST);
    const pending = (await reviewsOf(app, id)).at(-1);
    expect(pending).toMatchObject({
      decision: null,
      submittedBy: EVE,
      editors: [],
      registration: { redirectUris: [...FIRST, added], scopes: ['openid'] },
    });
    await expect(step(app, 'approve', id, BOB, { version })).rejects.toMatchObject({ code: 'stale_edit' });
    await expect(step(app, 'approve', id, EVE, { version: version + 1 })).rejects.toMatchObject({ code: 'forbidden' });
    const approved = await step(app, 'approve', id, BOB, { version: version + 1 });
    expect(approved).toMatchObject({ redirectUris: [...FIRST, added], scopes: ['openid'] });
  });

  it('withdraws an edit of which nothing is left', async () => {
    const { id, first } = await approvedTwice();
    await edit(app, id, { redirectUris: FIRST }, EVE);
    await restore(app, id, first);
    expect((await reviewsOf(app, id)).at(-1)).toMatchObject({ decision: 'withdrawn', decidedBy: BOB });
    const [entry] = await app.context().em.find(AuditEntry, { subject: id }, { orderBy: { id: 'desc' }, limit: 1 });
    expect(entry?.action).toBe('client.withdrawn');
  });

  it('does not let an edit through that can no longer be used: it says why, and can be edited', async () => {
    const { id } = await clientAt(app, 'enabled');
    const both = await edit(app, id, { redirectUris: [...FIRST, ...OTHER] });
    await step(app, 'approve', id, BOB, { version: both.version });
    await edit(app, id, { redirectUris: OTHER });
    const [first] = await reviewsOf(app, id);
    const { version } = await restore(app, id, first?.id ?? '');
    // it took away what is now the only redirect URI
    await expect(step(app, 'approve', id, BOB, { version })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('redirectUris must have 1 to 50 entries'),
    });
    expect((await edit(app, id, { name: 'Still editable' })).name).toBe('Still editable');
    await edit(app, id, { redirectUris: OTHER });
    expect((await reviewsOf(app, id)).at(-1)?.registration.redirectUris).toEqual(OTHER);
  });
});
