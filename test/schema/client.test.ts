import { type GraphQLEnumType, isNonNullType } from 'graphql';
import { describe, expect, it, test } from 'vitest';
import { STEP_WORDS } from '../../admin-ui/staff/client/steps.ts';
import { schema } from '../../schema/schema.ts';
import { CLIENT_STATUSES, Client } from '../../src/entities/client.ts';
import { editClient } from '../../src/partners/client/edit-client.ts';
import { CLIENT_STEPS, LIFE_CYCLE } from '../../src/partners/client/life-cycle.ts';
import { actorOf, RIGHTS, type SignedInStaff } from '../../src/partners/rights.ts';
import { ACTION_SCOPES, ALL_SCOPES } from '../../src/partners/scopes.ts';
import { uuidOf } from '../../src/platform/identifier/type-id.ts';
import type { StaffRole } from '../../src/platform/staff-role.ts';
import { clientAt, edit, readClient, step } from '../src/partners/client/production-client.ts';
import { countStatements } from '../support/count-statements.ts';
import { makeClient, newPartner } from '../support/make-client.ts';
import { askAs, newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp();
const [ann, bob] = [await newStaff(app, 'support'), await newStaff(app, 'admin')];
const staff: Record<StaffRole, SignedInStaff> = { support: ann, reviewer: await newStaff(app, 'reviewer'), admin: bob };
const partnerId: string = (await newPartner(app, 'Stage Door')).id;

const REGISTRATION = {
  name: 'Stage Door Resale',
  mode: 'PRODUCTION',
  redirectUris: ['https://stage.example/cb'],
  scopes: ['openid', 'fan:tickets:read'],
};

function mutate(staff: SignedInStaff, call: string, variables: Record<string, unknown> = {}) {
  const declared = { id: 'ID!', registration: 'ClientRegistration!', changes: 'ClientChanges!', version: 'Int!' };
  const header = Object.keys(variables).map((name) => `$${name}: ${declared[name as keyof typeof declared]}`);
  const document = `mutation ${header.length > 0 ? `(${header.join()})` : ''} { answer: ${call} {
  __typename ... on Client { id status version name corsOrigins } ... on ClientReview { client { id status version } }
  ... on Refusal { code message }
} }`;
  return askAs(app, staff, document, variables);
}

const register = (changes: object = {}) =>
  mutate(ann, `registerClient(partnerId: "${partnerId}", registration: $registration)`, {
    registration: { ...REGISTRATION, ...changes },
  });

describe('a production client through GraphQL', () => {
  const CLIENT = `query ($id: ID!) { client(id: $id) {
  status version redirectUris partner { name } openReview { submittedBy { id } mayApprove changes { field added removed } }
  reviews { submittedBy { id } decidedBy { id } decision note mayApprove editors { id } registration { redirectUris } }
  history { nodes { action actor } }
} }`;
  const read = (id: unknown) => askAs(app, bob, CLIENT, { id });

  it('goes from draft to enabled by two people, and an edit of what was approved waits beside it', async () => {
    const { id, status } = await register();
    expect(status).toBe('DRAFT');
    const submitted = await mutate(ann, `submitClient(clientId: $id, note: "Ready")`, { id });
    expect(submitted).toMatchObject({ __typename: 'ClientReview', client: { status: 'IN_REVIEW' } });
    const { version, reviews } = await read(id);
    const asked = { submittedBy: { id: ann.id }, note: 'Ready', editors: [], decidedBy: null, decision: null };
    const registration = { redirectUris: REGISTRATION.redirectUris };
    expect(reviews).toEqual([{ ...asked, mayApprove: true, registration }]);
    const decide = { id, version };
    const approve = 'approveClient(clientId: $id, version: $version, reason: "Fine")';
    expect(await mutate(bob, approve, decide)).toMatchObject({ status: 'APPROVED' });
    const enable = 'enableClient(clientId: $id, reason: "Go")';
    expect(await mutate(bob, enable, { id })).toMatchObject({ status: 'ENABLED' });
    const enabled = await read(id);
    expect(enabled).toMatchObject({ partner: { name: 'Stage Door' }, openReview: null });
    const edit = { id, version: enabled.version, changes: { redirectUris: ['https://stage.example/new'] } };
    const call = 'editClient(clientId: $id, version: $version, changes: $changes, note: "They moved")';
    expect(await mutate(bob, call, edit)).toMatchObject({ status: 'ENABLED' });
    const edited = await read(id);
    expect(edited).toMatchObject({ redirectUris: REGISTRATION.redirectUris });
    const change = { field: 'redirectUris', added: ['https://stage.example/new'], removed: REGISTRATION.redirectUris };
    expect(edited.openReview).toEqual({ submittedBy: { id: bob.id }, mayApprove: false, changes: [change] });
    expect(edited.reviews).toMatchObject([{ decision: null }, { decision: 'APPROVED', decidedBy: { id: bob.id } }]);
    const steps = ['submitted', 'enabled', 'approved', 'submitted', 'registered'];
    expect(edited.history.nodes).toMatchObject(steps.map((step) => ({ action: `client.${step}` })));
    const queue = await askAs(app, ann, '{ reviewQueue { nodes { client { id } } } }');
    expect(queue.nodes).toEqual([{ client: { id } }]);
  });

  it('a registration is linted as it is typed, with what is wrong at its place', async () => {
    const lint = `query ($registration: ClientRegistration!) { lintRegistration(registration: $registration) {
    name redirectUris { value fault } redirectUrisFault scopes { value fault } scopesFault loopbackAnyPort refreshRetryWindow corsOrigins
  } }`;
    const registration = {
      name: '',
      mode: 'PRODUCTION',
      redirectUris: ['https://a.example/cb', 'http://a.example/cb', 'https://a.example/cb'],
      scopes: ['openid', 'fan:everything'],
      loopbackAnyPort: true,
      refreshRetryWindow: 31,
    };
    expect((await runAs(app, ann, lint, { registration })).lintRegistration).toEqual({
      name: 'must have 1 to 120 characters',
      redirectUris: [
        { value: 'https://a.example/cb', fault: null },
        { value: 'http://a.example/cb', fault: 'must begin with https:// in production' },
        { value: 'https://a.example/cb', fault: 'is a duplicate' },
      ],
      redirectUrisFault: null,
      scopes: [
        { value: 'openid', fault: null },
        { value: 'fan:everything', fault: 'is not a scope of this server' },
      ],
      scopesFault: null,
      loopbackAnyPort: 'needs a redirect URI on http://127.0.0.1 or http://[::1]',
      refreshRetryWindow: 'must be whole seconds, 0 to 30',
      corsOrigins: ['https://a.example'],
    });
    expect(await register({ redirectUris: ['http://a.example/cb'] })).toMatchObject({
      code: 'invalid_request',
      message: 'redirectUris[0] must begin with https:// in production.',
    });
  });
});

it('every scope is explained, those of a group together', async () => {
  type Seen = { name: string; group: string; isAction: boolean; inUse: boolean }[];
  const scopes: Seen = await askAs(app, ann, '{ scopes { name group says isAction inUse } }');
  expect(scopes.map(({ name }) => name).sort()).toEqual([...ALL_SCOPES].sort());
  const inUse = scopes.filter((scope) => scope.inUse).map(({ name }) => name);
  expect(inUse.sort()).toEqual([...app.kit.scopes].sort());
  expect(scopes.filter(({ isAction }) => isAction)).toHaveLength(ACTION_SCOPES.length);
  const groups = scopes.map(({ group }) => group).filter((group, index, all) => group !== all[index - 1]);
  expect(new Set(groups).size).toBe(groups.length);
});

it('a kill switch is set and lifted by kind and subject, and shows at what it stops', async () => {
  const set = (args: string) =>
    askAs(
      app,
      bob,
      `mutation { setKillSwitch(${args}, reason: "Breach") {
      ... on KillSwitch { kind client { id } fan { id } country setBy { id } } ... on Refusal { code } } }`,
    );
  const { client_id: id } = app.kit;
  expect(await set(`kind: CLIENT, subject: "${id}"`)).toMatchObject({
    client: { id },
    fan: null,
    setBy: { id: bob.id },
  });
  expect(await set('kind: SMS_COUNTRY, subject: "fr"')).toMatchObject({ kind: 'SMS_COUNTRY', country: 'FR' });
  expect(await set('kind: CLIENT')).toMatchObject({ code: 'invalid_request' });
  expect(await set('kind: CO_SIGNING, subject: "x"')).toMatchObject({ code: 'invalid_request' });
  const read = `{ killSwitches { totalCount nodes { kind } } client(id: "${id}") { killSwitch { reason } } }`;
  expect(await runAs(app, ann, read)).toEqual({
    killSwitches: { totalCount: 2, nodes: [{ kind: 'SMS_COUNTRY' }, { kind: 'CLIENT' }] },
    client: { killSwitch: { reason: 'Breach' } },
  });
  const lift = `mutation { liftKillSwitch(kind: CLIENT, subject: "${id}", reason: "Over") { ... on LiftedKillSwitch { wasOn } } }`;
  expect(await askAs(app, bob, lift)).toEqual({ wasOn: true });
  expect(await askAs(app, bob, lift)).toEqual({ wasOn: false });
});

describe('the list of clients', () => {
  const LIST = `query ($first: Int, $search: String, $mode: Mode, $status: [ClientStatus!], $partnerId: ID) {
  clients(first: $first, search: $search, mode: $mode, status: $status, partnerId: $partnerId) {
    totalCount
    nodes {
      id name mode status partner { name clientCount } grantCount killSwitch { id }
      openReview { id } reviews { id submittedBy { name } changes { field } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;
  const list = (variables: object): Promise<{ totalCount: number; nodes: { id: string }[] }> =>
    askAs(app, ann, LIST, { ...variables });
  const found = async (variables: object) => (await list(variables)).nodes.map(({ id }) => id);

  it('is searched by a part of the name or the whole client_id, and narrowed by mode, status and partner', async () => {
    const id = await makeClient(app, { name: 'The 50% Off Shop' });
    expect(await found({ search: '50% off' })).toEqual([id]);
    expect(await found({ search: ` ${id} ` })).toEqual([id]);
    const drafts = await register({ name: 'Only A Draft' });
    expect(await found({ partnerId, status: ['DRAFT'] })).toEqual([drafts.id]);
    expect((await list({ mode: 'SANDBOX', partnerId })).totalCount).toBe(0);
  });

  it('takes the same statements however many rows it shows', async () => {
    for (let made = 0; made < 12; made += 1) await makeClient(app, { name: `Row ${made}` });
    const count = async (first: number) => {
      const { result, statements } = await countStatements(() => list({ first }));
      expect(result.nodes).toHaveLength(first);
      return statements.length;
    };
    const [few, many] = [await count(2), await count(12)];
    expect(many).toBe(few);
    expect(many).toBeLessThanOrEqual(9);
  });
});

interface StepSeen {
  name: keyof typeof STEP_WORDS;
  isAllowed: boolean;
  obstacle: string | null;
  to: string;
  needsVersion: boolean;
  right: { name: string; fresh: boolean };
}

const STEPS = 'steps { name isAllowed obstacle to needsVersion right { name fresh } }';

const stepsOf = async (person: SignedInStaff, id: string): Promise<StepSeen[]> =>
  (await askAs(app, person, `{ client(id: "${id}") { ${STEPS} } }`)).steps;

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
    const main = CLIENT_STEPS.filter((name) => STEP_WORDS[upper(name) as StepSeen['name']].look === 'main');
    const without = CLIENT_STATUSES.filter((status) => !main.some((name) => LIFE_CYCLE[name].from.includes(status)));
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
      ...(name === 'suspend' ? ['endsSales: Boolean!'] : []),
      name === 'submit' ? 'note: String!' : 'reason: String!',
      ...(LIFE_CYCLE[name].needsVersion ? ['version: Int!'] : []),
    ]);
  });
});

describe('who may take a step', () => {
  it('depends on the role', async () => {
    const clients = await Promise.all((['draft', 'in_review', 'approved', 'enabled'] as const).map(clientIn));
    const seen = async (role: StaffRole) =>
      Object.assign({}, ...(await Promise.all(clients.map((id) => obstaclesOf(staff[role], id)))));
    const all = { SUBMIT: null, WITHDRAW: null, REJECT: null, APPROVE: null, ENABLE: null, SUSPEND: null };
    const lacks = 'LACKS_RIGHT';
    expect(await seen('support')).toEqual({ ...all, REJECT: lacks, APPROVE: lacks, ENABLE: lacks, SUSPEND: lacks });
    expect(await seen('reviewer')).toEqual(all);
    expect(await seen('admin')).toEqual(all);
  });

  it('depends on the scopes of a token, which never has a right that needs a fresh sign-in', async () => {
    const scopes = ['console:read', 'clients:review', 'clients:enable'];
    const token = { ...staff.admin, authenticatedAt: null, scopes };
    const inReview = { WITHDRAW: 'LACKS_RIGHT', REJECT: null, APPROVE: null };
    expect(await obstaclesOf(token, await clientIn('in_review'))).toEqual(inReview);
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
    const second = { WITHDRAW: null, REJECT: null, APPROVE: 'NEEDS_SECOND_PERSON' };
    expect(await obstaclesOf(staff.reviewer, id)).toEqual(second);
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

  it('a review that was edited needs somebody else than the editor', async () => {
    const { id, version } = await clientAt(app, 'in_review');
    const edit = { clientId: id, version, changes: { scopes: ['openid'] } };
    await editClient(app.context(), edit, actorOf(staff.admin));
    expect(await obstaclesOf(staff.admin, id)).toMatchObject({ APPROVE: 'NEEDS_SECOND_PERSON', REJECT: null });
    expect(await stepsOf(staff.reviewer, id)).toContainEqual(
      expect.objectContaining({ name: 'APPROVE', isAllowed: true, needsVersion: true }),
    );
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
  expect(await askAs(app, staff.support, submit, { id })).toEqual({
    note: 'Once more',
    decision: null,
    submittedBy: { id: staff.support.id },
    client: { id, status: 'IN_REVIEW' },
  });
});

it('`steps` of many clients take three statements more than none, however many there are', async () => {
  const { partner } = await readClient(app, (await clientAt(app, 'in_review')).id);
  const list = async (fields: string) => {
    const read = `{ clients(partnerId: "${partner.id}", status: [IN_REVIEW], first: 50) { nodes { id ${fields} } } }`;
    return countStatements((): Promise<{ nodes: { steps: StepSeen[] }[] }> => askAs(app, staff.admin, read));
  };
  for (let made = 0; made < 3; made += 1) await clientAt(app, 'in_review');
  const [without, few] = [await list(''), await list(STEPS)];
  for (let made = 0; made < 5; made += 1) await clientAt(app, 'in_review');
  const many = await list(STEPS);
  expect(many.result.nodes.every(({ steps }) => steps.length === 3)).toBe(true);
  expect(many.result.nodes.length).toBeGreaterThan(few.result.nodes.length);
  expect([few.statements.length, many.statements.length]).toEqual(Array(2).fill(without.statements.length + 3));
});

const REGISTER_PARTNER = `mutation ($name: String!) {
  registerPartner(name: $name) { __typename ... on Partner { name clientCount } ... on Refusal { code message } }
}`;
const PAGE = `query ($first: Int, $search: String) {
  partners(first: $first, search: $search) { totalCount nodes { id name clientCount } }
}`;
interface Page {
  totalCount: number;
  nodes: { id: string; name: string }[];
}
const pageOf = (variables = {}): Promise<Page> => askAs(app, ann, PAGE, variables);
const registerOne = (name: string) => askAs(app, ann, REGISTER_PARTNER, { name });

test('a name that looks like another one is refused', async () => {
  expect(await registerOne('Stаge Door')).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('(Stаge)'),
  });
});

test('of several at once with one name, one is registered', async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => registerOne('Rush')));
  expect(answers.map(({ code = 'registered' }) => code).sort()).toEqual([...Array(3).fill('conflict'), 'registered']);
});

test('a partner gets another name, unless it is taken', async () => {
  const id = (await pageOf()).nodes.find(({ name }) => name === 'Rush')?.id;
  const rename = (partnerId: string | undefined, name: string) =>
    askAs(
      app,
      ann,
      `mutation { renamePartner(partnerId: "${partnerId}", name: "${name}") { ... on Partner { name } ... on Refusal { code } } }`,
    );
  expect(await rename(id, ' Stage Left ')).toEqual({ name: 'Stage Left' });
  expect(await rename(id, 'Front Row')).toEqual({ code: 'conflict' });
});

test('the newest partner comes first', async () => {
  for (const name of ['A 100% match', 'Another', 'One more']) await registerOne(name);
  const { nodes, totalCount } = await pageOf();
  expect(nodes.slice(0, 3).map(({ name }) => name)).toEqual(['One more', 'Another', 'A 100% match']);
  expect(totalCount).toBe(nodes.length);
});

test('what is searched for is taken literally', async () => {
  const found = async (search: string) => (await pageOf({ search })).nodes.map(({ name }) => name);
  expect(await found('100%')).toEqual(['A 100% match']);
  expect(await found('0_%')).toEqual([]);
});

test('a page that is too large is refused in words', async () => {
  await expect(pageOf({ first: 101 })).rejects.toThrow('first must be 0 to 100.');
});
