import { describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { CLIENT_STATUSES, Client, ClientReview } from '../../../../src/entities/client.ts';
import { editClient } from '../../../../src/partners/client/edit-client.ts';
import { CLIENT_STEPS, type ClientStepName } from '../../../../src/partners/client/life-cycle.ts';
import { restoreRegistration } from '../../../../src/partners/client/restore-registration.ts';
import { approvalOf } from '../../../../src/partners/client/review.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { makeClient } from '../../../support/make-client.ts';
import { refused } from '../../../support/refused.ts';
import { testApp } from '../../../support/test-app.ts';
import { ANN, BOB, clientAt, EVE, edit, readClient, restore, reviewsOf, step } from './production-client.ts';

const app = await testApp();

/** Where each step leads from each status. It is written out here so that a change of the table shows. */
const LEADS: Record<Client['status'], Partial<Record<ClientStepName, Client['status']>>> = {
  draft: { submit: 'in_review' },
  'sandbox-ready': {},
  in_review: { withdraw: 'draft', reject: 'rejected', approve: 'approved' },
  approved: { enable: 'enabled' },
  enabled: { suspend: 'suspended' },
  suspended: { enable: 'enabled' },
  rejected: { submit: 'in_review' },
};

/** What each step records, and the decision of the newest review after it. */
const EFFECTS: Record<ClientStepName, { action: string; details: string[]; decision: ClientReview['decision'] }> = {
  submit: { action: 'client.submitted', details: ['note', 'registration', 'review'], decision: null },
  withdraw: { action: 'client.withdrawn', details: ['reason', 'review'], decision: 'withdrawn' },
  reject: { action: 'client.rejected', details: ['reason', 'review'], decision: 'rejected' },
  approve: { action: 'client.approved', details: ['reason', 'registration', 'review'], decision: 'approved' },
  enable: { action: 'client.enabled', details: ['approval', 'reason'], decision: 'approved' },
  suspend: { action: 'client.suspended', details: ['reason'], decision: 'approved' },
};

/** A client that came to its status by steps; `sandbox-ready` only by registration. */
async function clientIn(status: Client['status']): Promise<Client> {
  if (status === 'sandbox-ready') return readClient(app, app.kit.client_id);
  if (status !== 'rejected') return clientAt(app, status);
  const { id, version } = await clientAt(app, 'in_review');
  return step(app, 'reject', id, BOB, { version });
}

const entriesOf = (subject: string) => app.context().em.find(AuditEntry, { subject }, { orderBy: { id: 'asc' } });

const newestReview = (client: string) =>
  app.context().em.findOneOrFail(ClientReview, { client: knownId('client', client) }, { orderBy: { id: 'desc' } });

const PAIRS = CLIENT_STATUSES.flatMap((status) => CLIENT_STEPS.map((name) => ({ status, name })));
const leads = ({ status, name }: (typeof PAIRS)[number]) => LEADS[status][name] !== undefined;

describe('the life cycle', () => {
  it.each(PAIRS.filter(leads))('$status: $name leads on, with its review and its audit entry', async (pair) => {
    const { status, name } = pair;
    const { id, version } = await clientIn(status);
    const { action, details, decision } = EFFECTS[name];
    const taken = await step(app, name, id, EVE, { version, reason: ' Because ' });
    expect(taken).toMatchObject({ status: LEADS[status][name], version: version + 1 });
    expect(await readClient(app, id)).toMatchObject({ status: LEADS[status][name], version: version + 1 });
    const entry = (await entriesOf(id)).at(-1);
    expect(entry).toMatchObject({ actor: EVE, action });
    expect(Object.keys(entry?.details ?? {}).sort()).toEqual(details);
    expect(entry?.details.reason ?? entry?.details.note).toBe('Because');
    const review = await newestReview(id);
    expect(review.decision).toBe(decision);
    const named = entry?.details.review ?? entry?.details.approval;
    expect(named).toBe(name === 'suspend' ? undefined : review.id);
    if (['withdraw', 'reject', 'approve'].includes(name)) {
      expect(review).toMatchObject({ decidedBy: EVE, reason: 'Because', decidedAt: expect.any(Date) });
    }
  });

  it.each(PAIRS.filter((pair) => !leads(pair)))('$status: $name is refused and changes nothing', async (pair) => {
    const { status, name } = pair;
    const client = await clientIn(status);
    const before = (await entriesOf(client.id)).length;
    const from = CLIENT_STATUSES.filter((candidate) => LEADS[candidate][name] !== undefined);
    const participle = EFFECTS[name].action.slice('client.'.length);
    await expect(step(app, name, client.id, EVE, { version: client.version })).rejects.toMatchObject(
      status === 'sandbox-ready'
        ? { code: 'invalid_request', message: expect.stringContaining('sandbox') }
        : {
            code: 'conflict',
            message: ['withdraw', 'reject', 'approve'].includes(name)
              ? `The client is ${status} and has no open review.`
              : `The client is ${status}; only ${from.join(' or ')} can be ${participle}.`,
          },
    );
    expect(await readClient(app, client.id)).toMatchObject({ status, version: client.version });
    expect(await entriesOf(client.id)).toHaveLength(before);
  });

  it.each(CLIENT_STEPS)('%s needs the version that was looked at, or needs none, as the table has it', async (name) => {
    const from = CLIENT_STATUSES.find((status) => LEADS[status][name] !== undefined) ?? 'draft';
    const { id } = await clientIn(from);
    const needsVersion = name === 'approve' || name === 'reject';
    const taken = step(app, name, id, EVE);
    if (!needsVersion) expect((await taken).status).toBe(LEADS[from][name]);
    else await expect(taken).rejects.toEqual(refused('invalid_request', 'version must'));
  });

  it.each(CLIENT_STEPS)('%s of another version than the one that is given is refused', async (name) => {
    const from = CLIENT_STATUSES.find((status) => LEADS[status][name] !== undefined) ?? 'draft';
    const { id, version } = await clientIn(from);
    await expect(step(app, name, id, EVE, { version: version - 1 })).rejects.toEqual(refused('stale_edit'));
    expect(await readClient(app, id)).toMatchObject({ status: from, version });
  });

  it.each(CLIENT_STEPS)('%s is not for a sandbox client, whatever its status', async (name) => {
    const status = CLIENT_STATUSES.find((candidate) => LEADS[candidate][name] !== undefined) ?? 'draft';
    const id = await makeClient(app);
    await app.context().em.nativeUpdate(Client, { id }, { status });
    const { version } = await readClient(app, id);
    await expect(step(app, name, id, EVE, { version })).rejects.toEqual(refused('invalid_request'));
    expect(await readClient(app, id)).toMatchObject({ status, version });
  });

  it('asks only approval for a second person: who submitted a client can reject and withdraw it', async () => {
    for (const name of ['reject', 'withdraw'] as const) {
      const { id, version } = await clientAt(app, 'in_review');
      expect((await step(app, name, id, ANN, { version })).status).toBe(LEADS.in_review[name]);
    }
  });
});

it('D-131: neither who submitted a client nor who edited it in review can approve it, also where somebody else edited it after them', async () => {
  const { id, version } = await clientAt(app, 'in_review');
  const one = await editClient(app.context(), { clientId: id, version, changes: { scopes: ['openid'] } }, BOB);
  const two = await editClient(
    app.context(),
    { clientId: id, version: one.version, changes: { redirectUris: ['https://resale.example/new'] } },
    EVE,
  );
  for (const actor of [BOB, EVE, ANN]) {
    await expect(step(app, 'approve', id, actor, { version: two.version })).rejects.toEqual(refused('forbidden'));
  }
  await step(app, 'approve', id, 'staff:stf_zoe', { version: two.version });
  const [review] = await reviewsOf(app, id);
  expect(review?.registration).toMatchObject({ scopes: ['openid'], redirectUris: ['https://resale.example/new'] });
  expect(review?.editors).toEqual([BOB, EVE]);
});

it.each(['', ' \n ', 'x'.repeat(1001)])(
  'a decision needs a reason of 1 to 1,000 characters: %j is none',
  async (reason) => {
    for (const name of CLIENT_STEPS) {
      const field = name === 'submit' ? 'note' : 'reason';
      await expect(step(app, name, app.kit.client_id, BOB, { version: 1, reason })).rejects.toMatchObject({
        code: 'invalid_request',
        message: `${field} must have 1 to 1,000 characters.`,
      });
    }
  },
);

describe('enabling', () => {
  it.each<Partial<Client>>([
    { redirectUris: ['https://evil.example/'] },
    { scopes: ['openid'] },
    { loopbackAnyPort: true },
  ])('is refused where the registration is not the approved one, whoever changed it: %o', async (change) => {
    const { id } = await clientAt(app, 'approved');
    await app.context().em.nativeUpdate(Client, { id }, change);
    await expect(step(app, 'enable', id, BOB)).rejects.toEqual(refused('conflict', 'changed since it was approved'));
    expect((await readClient(app, id)).status).toBe('approved');
  });

  it('needs an approval of what is in force; a review that ended otherwise does not count', async () => {
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
    await expect(step(app, 'enable', id, BOB)).rejects.toEqual(refused('conflict'));
  });

  it('and of a client that nobody ever approved', async () => {
    const { id } = await clientAt(app, 'draft');
    await app.context().em.nativeUpdate(Client, { id }, { status: 'suspended' });
    await expect(step(app, 'enable', id, BOB)).rejects.toEqual(refused('conflict'));
  });
});

const FIRST = ['https://resale.example/callback'];
const OTHER = ['https://other.example/cb'];

/** An enabled client whose redirect URI was changed by an approved edit. @returns the first approval too */
async function approvedTwice() {
  const { id, scopes } = await clientAt(app, 'enabled');
  const { version } = await edit(app, id, { redirectUris: OTHER });
  await step(app, 'approve', id, BOB, { version });
  const [first, second] = await reviewsOf(app, id);
  return { id, scopes, first: first?.id ?? '', second: second?.id ?? '' };
}

describe('D-132: an approved registration can be restored', () => {
  it('by one person, with a reason: it is in force with its origins, and the change is on record', async () => {
    const { id, first, second } = await approvedTwice();
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
    expect((await restore(app, id, second)).redirectUris, 'and the later one after it').toEqual(OTHER);
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
      await expect(restore(app, id, review.id)).rejects.toEqual(refused('not_found'));
    }
    await expect(restore(app, other, first)).rejects.toEqual(refused('not_found'));
    expect((await readClient(app, id)).redirectUris).toEqual(OTHER);
  });

  it('not where it is in force already, nor over a version that was not seen, nor without a reason', async () => {
    const { id, first, second } = await approvedTwice();
    await expect(restore(app, id, second)).rejects.toEqual(refused('conflict'));
    const { version } = await readClient(app, id);
    await expect(restore(app, id, first, BOB, version - 1)).rejects.toEqual(refused('stale_edit'));
    const request = { clientId: id, reviewId: first, version, reason: ' ' };
    await expect(restoreRegistration(app.context(), request, BOB)).rejects.toEqual(refused('invalid_request'));
  });

  it('not where the rules have changed so that nobody could register it now', async () => {
    const { id, first } = await approvedTwice();
    const [review] = (await reviewsOf(app, id)) as [ClientReview];
    const registration = { ...review.registration, scopes: ['fan:retired'] };
    await app.context().em.nativeUpdate(ClientReview, { id: review.id }, { registration });
    await expect(restore(app, id, first)).rejects.toEqual(refused('conflict', 'fan:retired'));
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
    await expect(step(app, 'approve', id, BOB, { version })).rejects.toEqual(refused('stale_edit'));
    await expect(step(app, 'approve', id, EVE, { version: version + 1 })).rejects.toEqual(refused('forbidden'));
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
    await expect(step(app, 'approve', id, BOB, { version })).rejects.toEqual(
      refused('conflict', 'redirectUris must have 1 to 50 entries'),
    );
    expect((await edit(app, id, { name: 'Still editable' })).name).toBe('Still editable');
    await edit(app, id, { redirectUris: OTHER });
    expect((await reviewsOf(app, id)).at(-1)?.registration.redirectUris).toEqual(OTHER);
  });
});
