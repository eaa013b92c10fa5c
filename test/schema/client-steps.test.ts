import { type GraphQLEnumType, isNonNullType } from 'graphql';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { STEP_WORDS } from '../../admin-ui/src/client/steps.ts';
import { schema } from '../../schema/schema.ts';
import { editClient } from '../../src/client/edit-client.ts';
import { CLIENT_STEPS, LIFE_CYCLE } from '../../src/client/life-cycle.ts';
import { CLIENT_STATUSES, Client } from '../../src/entities/client.ts';
import type { StaffRole } from '../../src/entities/staff.ts';
import { uuidOf } from '../../src/identifier/type-id.ts';
import { actorOf, RIGHTS, type SignedInStaff } from '../../src/staff/rights.ts';
import { clientAt, edit, readClient, step } from '../src/client/production-client.ts';
import { countStatements } from '../support/count-statements.ts';
import { makeClient } from '../support/make-client.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

interface StepSeen {
  name: keyof typeof STEP_WORDS;
  isAllowed: boolean;
  obstacle: string | null;
  to: string;
  needsVersion: boolean;
  right: { name: string; fresh: boolean };
}

let staff: Record<StaffRole, SignedInStaff>;
const app = await testApp();
beforeAll(async () => {
  const [support, reviewer, admin] = await Promise.all([
    newStaff(app, 'support'),
    newStaff(app, 'reviewer'),
    newStaff(app, 'admin'),
  ]);
  staff = { support, reviewer, admin };
});

const STEPS = 'steps { name isAllowed obstacle to needsVersion right { name fresh } }';

async function stepsOf(person: SignedInStaff, id: string): Promise<StepSeen[]> {
  const read = `query ($id: ID!) { client(id: $id) { ${STEPS} } }`;
  return (await runAs<{ client: { steps: StepSeen[] } }>(app, person, read, { id })).client.steps;
}

/** Each step with why this person may not take it; null where they may. */
const obstaclesOf = async (person: SignedInStaff, id: string) =>
  Object.fromEntries((await stepsOf(person, id)).map(({ name, obstacle }) => [name, obstacle]));

const upper = (text: string) => text.toUpperCase();

/** A client that has a status; how it came to it does not matter here. */
async function clientIn(status: Client['status']): Promise<string> {
  if (status === 'sandbox-ready') return app.kit.client_id;
  const { id } = await clientAt(app, 'draft');
  await app.context().em.nativeUpdate(Client, { id }, { status });
  return id;
}

describe('steps, mutations and the words of the console come from one table', () => {
  test.each(CLIENT_STATUSES)(
    '%s: `steps` are those of the table, and one of them at most is the main one',
    async (status) => {
      const steps = await stepsOf(staff.admin, await clientIn(status));
      const expected = CLIENT_STEPS.filter((name) => LIFE_CYCLE[name].from.includes(status));
      expect(steps).toEqual(
        expected.map((name) => {
          const { right, to, needsVersion = false } = LIFE_CYCLE[name];
          return {
            name: upper(name),
            isAllowed: true,
            obstacle: null,
            to: upper(to),
            needsVersion,
            right: { name: right, fresh: RIGHTS[right].fresh },
          };
        }),
      );
      expect(steps.filter(({ name }) => STEP_WORDS[name].look === 'main').length).toBeLessThanOrEqual(1);
    },
  );

  it('a sandbox client has no steps, whatever its status', async () => {
    const id = await makeClient(app);
    await app.context().em.nativeUpdate(Client, { id }, { status: 'draft' });
    expect(await stepsOf(staff.admin, id)).toEqual([]);
  });

  it('only a client that is enabled or of sandbox has no main step', async () => {
    const without = CLIENT_STATUSES.filter(
      (status) =>
        !CLIENT_STEPS.some(
          (name) =>
            LIFE_CYCLE[name].from.includes(status) && STEP_WORDS[upper(name) as StepSeen['name']].look === 'main',
        ),
    );
    expect(without).toEqual(['sandbox-ready', 'enabled']);
  });

  it('the console has words for each step of the schema, and for no other', () => {
    const names = (schema.getType('ClientStepName') as GraphQLEnumType).getValues().map(({ name }) => name);
    expect(names.sort()).toEqual(CLIENT_STEPS.map(upper).sort());
    expect(Object.keys(STEP_WORDS).sort()).toEqual(names.sort());
  });

  test.each([
    { name: 'submit', mutation: 'submitClient' },
    { name: 'withdraw', mutation: 'withdrawReview' },
    { name: 'reject', mutation: 'rejectClient' },
    { name: 'approve', mutation: 'approveClient' },
    { name: 'enable', mutation: 'enableClient' },
    { name: 'suspend', mutation: 'suspendClient' },
  ] as const)('$mutation takes the arguments that $name needs', ({ name, mutation }) => {
    const { args = [] } = schema.getMutationType()?.getFields()[mutation] ?? {};
    expect(args.every(({ type }) => isNonNullType(type))).toBe(true);
    expect(args.map((arg) => `${arg.name}: ${arg.type}`).sort()).toEqual([
      'clientId: ID!',
      name === 'submit' ? 'note: String!' : 'reason: String!',
      ...(LIFE_CYCLE[name].needsVersion ? ['version: Int!'] : []),
    ]);
  });
});

describe('who may take a step', () => {
  it('depends on the role', async () => {
    const seen = async (role: StaffRole) =>
      Object.assign(
        {},
        ...(await Promise.all(
          (['draft', 'in_review', 'approved', 'enabled'] as const).map(async (status) =>
            obstaclesOf(staff[role], await clientIn(status)),
          ),
        )),
      );
    const all = { SUBMIT: null, WITHDRAW: null, REJECT: null, APPROVE: null, ENABLE: null, SUSPEND: null };
    const lacks = 'LACKS_RIGHT';
    expect(await seen('support')).toEqual({ ...all, REJECT: lacks, APPROVE: lacks, ENABLE: lacks, SUSPEND: lacks });
    expect(await seen('reviewer')).toEqual(all);
    expect(await seen('admin')).toEqual(all);
  });

  it('depends on the scopes of a token, which never has a right that needs a fresh sign-in', async () => {
    const token = {
      ...staff.admin,
      authenticatedAt: null,
      scopes: ['console:read', 'clients:review', 'clients:enable'],
    };
    expect(await obstaclesOf(token, await clientIn('in_review'))).toEqual({
      WITHDRAW: 'LACKS_RIGHT',
      REJECT: null,
      APPROVE: null,
    });
    expect(await obstaclesOf(token, await clientIn('approved'))).toEqual({ ENABLE: 'LACKS_RIGHT' });
  });

  it('does not depend on how long ago somebody signed in: `right.fresh` is known beforehand', async () => {
    const longAgo = { ...staff.admin, authenticatedAt: new Date(0) };
    expect(await stepsOf(longAgo, await clientIn('approved'))).toMatchObject([
      { name: 'ENABLE', isAllowed: true, right: { name: 'clients:enable', fresh: true } },
    ]);
  });

  it('whoever submitted a client needs a second person to approve it, and only for that', async () => {
    const { id } = await clientAt(app, 'draft');
    await step(app, 'submit', id, actorOf(staff.reviewer));
    expect(await obstaclesOf(staff.reviewer, id)).toEqual({
      WITHDRAW: null,
      REJECT: null,
      APPROVE: 'NEEDS_SECOND_PERSON',
    });
    expect((await stepsOf(staff.reviewer, id)).map(({ isAllowed }) => isAllowed)).toEqual([true, true, false]);
    expect(await obstaclesOf(staff.admin, id)).toMatchObject({ APPROVE: null });
  });

  it('an edit that waits adds the steps of its review to those of the status, which stays', async () => {
    const { id } = await clientAt(app, 'enabled');
    await edit(app, id, { redirectUris: ['https://resale.example/new'] }, actorOf(staff.reviewer));
    expect((await stepsOf(staff.reviewer, id)).map(({ name, to, obstacle }) => [name, to, obstacle])).toEqual([
      ['WITHDRAW', 'ENABLED', null],
      ['REJECT', 'ENABLED', null],
      ['APPROVE', 'ENABLED', 'NEEDS_SECOND_PERSON'],
      ['SUSPEND', 'SUSPENDED', null],
    ]);
    expect(await obstaclesOf(staff.admin, id)).toMatchObject({ APPROVE: null });
  });

  it('of somebody who submitted a client and lacks the right, the right is what is missing', async () => {
    const { id } = await clientAt(app, 'draft');
    await step(app, 'submit', id, actorOf(staff.support));
    expect(await obstaclesOf(staff.support, id)).toMatchObject({ APPROVE: 'LACKS_RIGHT' });
  });

  it('a review that was edited needs somebody else than the editor, and a decision about the new version', async () => {
    const { id, version } = await clientAt(app, 'in_review');
    const edit = { clientId: id, version, changes: { scopes: ['openid'] } };
    await editClient(app.context(), edit, actorOf(staff.admin));
    expect(await obstaclesOf(staff.admin, id)).toMatchObject({ APPROVE: 'NEEDS_SECOND_PERSON', REJECT: null });
    expect(await stepsOf(staff.reviewer, id)).toContainEqual(
      expect.objectContaining({ name: 'APPROVE', isAllowed: true, needsVersion: true }),
    );
    const approve = `mutation ($id: ID!, $version: Int!) {
      approveClient(clientId: $id, version: $version, reason: "Fine") { ... on Refusal { code } ... on Client { status ${STEPS} } }
    }`;
    const decide = async (seen: number) =>
      (await runAs<{ approveClient: object }>(app, staff.reviewer, approve, { id, version: seen })).approveClient;
    expect(await decide(version)).toEqual({ code: 'stale_edit' });
    expect(await decide(version + 1)).toMatchObject({
      status: 'APPROVED',
      steps: [{ name: 'ENABLE', isAllowed: true }],
    });
  });

  it('a review that is closed is no obstacle: only the open one counts', async () => {
    const { id, version } = await clientAt(app, 'draft');
    await step(app, 'submit', id, actorOf(staff.reviewer));
    await step(app, 'reject', id, actorOf(staff.admin), { version: version + 1 });
    await step(app, 'submit', id, actorOf(staff.admin));
    const { em } = app.context();
    // so many that PostgreSQL reads one of them last, wherever it finds room for them
    const columns = 'client_id, submitted_by, submitted_at, note, registration, editors, decision';
    await em.execute(`insert into client_review (id, ${columns}) select gen_random_uuid(), ${columns}
      from client_review, generate_series(1, 50) where client_id = '${uuidOf('client', id)}' and decision = 'rejected'`);
    expect(await obstaclesOf(staff.reviewer, id)).toMatchObject({ APPROVE: null });
    expect(await obstaclesOf(staff.admin, id)).toMatchObject({ APPROVE: 'NEEDS_SECOND_PERSON' });
  });
});

it('`submitClient` answers with the review that it opened, also where there were others before', async () => {
  const submit = `mutation ($id: ID!) { submitClient(clientId: $id, note: "Once more") {
    ... on ClientReview { note decision submittedBy { id } client { id status } }
  } }`;
  const { id, version } = await clientAt(app, 'in_review');
  await step(app, 'reject', id, actorOf(staff.admin), { version });
  expect((await runAs<{ submitClient: object }>(app, staff.support, submit, { id })).submitClient).toEqual({
    note: 'Once more',
    decision: null,
    submittedBy: { id: staff.support.id },
    client: { id, status: 'IN_REVIEW' },
  });
});

it('`steps` of many clients take three statements more than none, however many there are', async () => {
  const { partner } = await readClient(app, (await clientAt(app, 'in_review')).id);
  const list = async (fields: string) => {
    const read = `query ($id: ID!) { clients(partnerId: $id, status: [IN_REVIEW], first: 50) { nodes { id ${fields} } } }`;
    return countStatements(() =>
      runAs<{ clients: { nodes: { steps: StepSeen[] }[] } }>(app, staff.admin, read, { id: partner.id }),
    );
  };
  for (let made = 0; made < 3; made += 1) await clientAt(app, 'in_review');
  const [without, few] = [await list(''), await list(STEPS)];
  for (let made = 0; made < 5; made += 1) await clientAt(app, 'in_review');
  const many = await list(STEPS);
  expect(many.result.clients.nodes.every(({ steps }) => steps.length === 3)).toBe(true);
  expect(many.result.clients.nodes.length).toBeGreaterThan(few.result.clients.nodes.length);
  expect([few.statements.length, many.statements.length]).toEqual(Array(2).fill(without.statements.length + 3));
});
