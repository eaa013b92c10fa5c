import { beforeAll, describe, expect, it } from 'vitest';
import type { SignedInStaff } from '../../src/partners/rights.ts';
import { callFan, signIn } from '../support/partner.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

let support: SignedInStaff;
let requestId: string;
let grantId: string;
const app = await testApp();
beforeAll(async () => {
  support = await newStaff(app, 'support');
  const tokens = await signIn(app);
  grantId = tokens.grant_id;
  requestId = (await callFan(app, '/tickets', tokens.access_token)).headers.get('x-request-id') ?? '';
  await app.runtime.activity.flush();
});

const TIMELINE = `query ($search: String!, $before: DateTime, $limit: Int) {
  timeline(search: $search, before: $before, limit: $limit) {
    subjects { kind id title subtitle }
    entries { at kind title outcome details references { client grant fan session ticket permit claim requestId } }
    earlier
  }
}`;
const DASHBOARD = `query ($clientId: ID, $period: Period!) {
  dashboard(clientId: $clientId, period: $period) {
    buckets
    ${['funnel', 'tokens', 'calls', 'signatures', 'refusals', 'claims', 'sms'].map((name) => `${name} { name values total }`).join('\n')}
  }
}`;

interface Story {
  timeline: { subjects: object[]; entries: { title: string }[]; earlier: Date | null };
}

describe('activity in the schema', () => {
  it('support finds a request by its id, with what its grant did around it', async () => {
    const { timeline } = await runAs<Story>(app, support, TIMELINE, { search: requestId });
    expect(timeline.subjects).toMatchObject([{ kind: 'REQUEST', id: requestId, title: 'The app read the tickets.' }]);
    expect(timeline.entries.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['The app read the tickets.', 'The fan allowed access.']),
    );
  });

  it('a story comes in parts by `earlier`', async () => {
    const whole = await runAs<Story>(app, support, TIMELINE, { search: grantId });
    const newest = await runAs<Story>(app, support, TIMELINE, { search: grantId, limit: 2 });
    const before = newest.timeline.earlier;
    const rest = await runAs<Story>(app, support, TIMELINE, { search: grantId, before });
    expect([...rest.timeline.entries, ...newest.timeline.entries]).toEqual(whole.timeline.entries);
  });

  it.each([0, 501])('a part of %i entries is refused', async (limit) => {
    await expect(runAs(app, support, TIMELINE, { search: grantId, limit })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('one request is told; one that is not known is null, and so is what is no request id', async () => {
    const document = `query ($id: ID!) { request(id: $id) { title outcome references { grant } } }`;
    expect(await runAs(app, support, document, { id: requestId })).toEqual({
      request: { title: 'The app read the tickets.', outcome: 'ok', references: { grant: grantId } },
    });
    for (const id of [crypto.randomUUID(), 'no-such', grantId]) {
      expect(await runAs(app, support, document, { id })).toEqual({ request: null });
    }
  });

  it('the search answers with what was found', async () => {
    const document = `query ($text: String!) { search(text: $text) { kind id title subtitle } }`;
    const { search } = await runAs<{ search: object[] }>(app, support, document, { text: 'Front Row' });
    expect(search).toContainEqual({
      kind: 'PARTNER',
      id: expect.stringMatching(/^ptn_/),
      title: 'Front Row',
      subtitle: expect.stringContaining('client'),
    });
  });

  it('the dashboard is there for all clients and for one; an identifier of something else is refused', async () => {
    for (const clientId of [undefined, app.kit.client_id]) {
      const { dashboard } = await runAs<{ dashboard: { funnel: { name: string; total: number }[] } }>(
        app,
        support,
        DASHBOARD,
        { clientId, period: 'HOUR' },
      );
      expect(dashboard.funnel).toContainEqual(expect.objectContaining({ name: 'tokens', total: 1 }));
    }
    await expect(runAs(app, support, DASHBOARD, { clientId: grantId, period: 'HOUR' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
