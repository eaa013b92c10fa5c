import { describe, expect, it } from 'vitest';
import { CLIENT_STEPS, type ClientStepName } from '../../../src/client/life-cycle.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { CLIENT_STATUSES, Client, ClientReview } from '../../../src/entities/client.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import { makeClient } from '../../support/make-client.ts';
import { testApp } from '../../support/test-app.ts';
import { ANN, BOB, clientAt, EVE, readClient, step } from './production-client.ts';

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

const app = await testApp();

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
              : expect.stringMatching(
                  new RegExp(`^The client is ${status}; only ${alternatives(from)} can be ${participle}\\.$`),
                ),
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
    else
      await expect(taken).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/^version/),
      });
  });

  it.each(CLIENT_STEPS)('%s of another version than the one that is given is refused', async (name) => {
    const from = CLIENT_STATUSES.find((status) => LEADS[status][name] !== undefined) ?? 'draft';
    const { id, version } = await clientIn(from);
    await expect(step(app, name, id, EVE, { version: version - 1 })).rejects.toMatchObject({ code: 'stale_edit' });
    expect(await readClient(app, id)).toMatchObject({ status: from, version });
  });

  it.each(CLIENT_STEPS)('%s is not for a sandbox client, whatever its status', async (name) => {
    const status = CLIENT_STATUSES.find((candidate) => LEADS[candidate][name] !== undefined) ?? 'draft';
    const id = await makeClient(app);
    await app.context().em.nativeUpdate(Client, { id }, { status });
    const { version } = await readClient(app, id);
    await expect(step(app, name, id, EVE, { version })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await readClient(app, id)).toMatchObject({ status, version });
  });

  it('asks only approval for a second person: who submitted a client can reject and withdraw it', async () => {
    for (const name of ['reject', 'withdraw'] as const) {
      const { id, version } = await clientAt(app, 'in_review');
      expect((await step(app, name, id, ANN, { version })).status).toBe(LEADS.in_review[name]);
    }
  });
});

/** `a or b`, in any order. */
function alternatives(statuses: string[]): string {
  return statuses.length === 1
    ? String(statuses[0])
    : `(${statuses.join(' or ')}|${statuses.toReversed().join(' or ')})`;
}
