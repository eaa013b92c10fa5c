import { type GraphQLEnumType, isNonNullType } from 'graphql';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { STEP_WORDS } from '../../admin-ui/staff/client/steps.ts';
import { schema } from '../../schema/schema.ts';
import { CLIENT_STATUSES, Client } from '../../src/entities/client.ts';
import { editClient } from '../../src/partners/client/edit-client.ts';
import { CLIENT_STEPS, LIFE_CYCLE } from '../../src/partners/client/life-cycle.ts';
import { actorOf, RIGHTS, type SignedInStaff } from '../../src/partners/rights.ts';
import { ALL_SCOPES } from '../../src/partners/scopes.ts';
import { uuidOf } from '../../src/platform/identifier/type-id.ts';
import type { StaffRole } from '../../src/platform/staff-role.ts';
import { clientAt, edit, readClient, step } from '../src/partners/client/production-client.ts';
import { countStatements } from '../support/count-statements.ts';
import { makeClient } from '../support/make-client.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp();

describe('client', () => {
  let ann: SignedInStaff;

  let bob: SignedInStaff;

  let partnerId: string;

  beforeAll(async () => {
    [ann, bob] = await Promise.all([newStaff(app, 'support'), newStaff(app, 'admin')]);
    const { registerPartner } = await runAs<{ registerPartner: { id: string } }>(
      app,
      ann,
      'mutation { registerPartner(name: "Stage Door") { ... on Partner { id } } }',
    );
    partnerId = registerPartner.id;
  });

  const REGISTRATION = {
    name: 'Stage Door Resale',
    mode: 'PRODUCTION',
    redirectUris: ['https://stage.example/cb'],
    scopes: ['openid', 'fan:tickets:read'],
  };

  /** What a mutation answered, whichever it was. */
  interface Answer {
    __typename: string;
    code?: string;
    message?: string;
    [field: string]: unknown;
  }

  /** Runs one mutation that answers with a client or a refusal. */
  async function mutate(staff: SignedInStaff, call: string, variables: Record<string, unknown> = {}): Promise<Answer> {
    const declared = { id: 'ID!', registration: 'ClientRegistration!', changes: 'ClientChanges!', version: 'Int!' };
    const header = Object.keys(variables).map((name) => `$${name}: ${declared[name as keyof typeof declared]}`);
    const document = `mutation ${header.length > 0 ? `(${header.join()})` : ''} { answer: ${call} {
    __typename ... on Client { id status version name corsOrigins } ... on ClientReview { client { id status version } }
    ... on Refusal { code message }
  } }`;
    return (await runAs<{ answer: Answer }>(app, staff, document, variables)).answer;
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
    const read = async (id: unknown) => (await runAs<{ client: Answer }>(app, bob, CLIENT, { id })).client;

    it('goes from draft to enabled by two people, and an edit of what was approved waits beside it', async () => {
      const { id, status } = await register();
      expect(status).toBe('DRAFT');
      const submitted = await mutate(ann, `submitClient(clientId: $id, note: "Ready")`, { id });
      expect(submitted).toMatchObject({ __typename: 'ClientReview', client: { status: 'IN_REVIEW' } });
      const { version, reviews } = await read(id);
      expect(reviews).toEqual([
        {
          submittedBy: { id: ann.id },
          decidedBy: null,
          decision: null,
          note: 'Ready',
          mayApprove: true,
          editors: [],
          registration: { redirectUris: REGISTRATION.redirectUris },
        },
      ]);
      const decide = { id, version };
      const approve = 'approveClient(clientId: $id, version: $version, reason: "Fine")';
      expect(await mutate(bob, approve, decide)).toMatchObject({ status: 'APPROVED' });
      expect(await mutate(bob, 'enableClient(clientId: $id, reason: "Go")', { id })).toMatchObject({
        status: 'ENABLED',
      });
      const enabled = await read(id);
      expect(enabled).toMatchObject({ partner: { name: 'Stage Door' }, openReview: null });
      const edit = { id, version: enabled.version, changes: { redirectUris: ['https://stage.example/new'] } };
      const call = 'editClient(clientId: $id, version: $version, changes: $changes, note: "They moved")';
      expect(await mutate(bob, call, edit)).toMatchObject({ status: 'ENABLED' });
      const edited = await read(id);
      expect(edited).toMatchObject({ redirectUris: REGISTRATION.redirectUris });
      expect(edited.openReview).toEqual({
        submittedBy: { id: bob.id },
        mayApprove: false,
        changes: [
          { field: 'redirectUris', added: ['https://stage.example/new'], removed: ['https://stage.example/cb'] },
        ],
      });
      expect(edited.reviews).toMatchObject([{ decision: null }, { decision: 'APPROVED', decidedBy: { id: bob.id } }]);
      const { nodes } = edited.history as { nodes: { action: string; actor: string }[] };
      expect(nodes.map(({ action }) => action)).toEqual([
        'client.submitted',
        'client.enabled',
        'client.approved',
        'client.submitted',
        'client.registered',
      ]);
      const queue = await runAs<Record<string, { nodes: unknown }>>(
        app,
        ann,
        '{ reviewQueue { nodes { client { id } } } }',
      );
      expect(queue.reviewQueue?.nodes).toEqual([{ client: { id } }]);
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

    it('identifiers of another kind, or of nothing, are refused in words', async () => {
      for (const id of ['x', partnerId, 'client_01h455vb4pex5vsknk084sn02q']) {
        expect(await mutate(bob, 'suspendClient(clientId: $id, reason: "x")', { id })).toMatchObject({
          code: 'not_found',
        });
      }
      await expect(runAs(app, ann, '{ client(id: "x") { id } }')).rejects.toThrow('There is no client x.');
      await expect(runAs(app, ann, '{ clients(partnerId: "x") { nodes { id } } }')).rejects.toThrow('no partner x');
      await expect(
        runAs(app, ann, `query { client(id: "${app.kit.client_id}") { history(after: "x") { nodes { id } } } }`),
      ).rejects.toThrow('The cursor belongs to another list.');
    });
  });

  it('every scope is explained, those of a group together', async () => {
    const { scopes } = await runAs<{
      scopes: { name: string; group: string; says: string; isAction: boolean; inUse: boolean }[];
    }>(app, ann, '{ scopes { name group says isAction inUse } }');
    expect(scopes.map(({ name }) => name).sort()).toEqual([...ALL_SCOPES].sort());
    const inUse = scopes.filter((scope) => scope.inUse).map(({ name }) => name);
    expect(inUse.sort()).toEqual([...app.kit.scopes].sort());
    expect(scopes.filter(({ isAction }) => isAction)).toHaveLength(13);
    const groups = scopes.map(({ group }) => group).filter((group, index, all) => group !== all[index - 1]);
    expect(new Set(groups).size).toBe(groups.length);
  });

  it('a kill switch is set and lifted by kind and subject, and shows at what it stops', async () => {
    const set = (args: string) =>
      runAs<{ answer: Answer }>(
        app,
        bob,
        `mutation { answer: setKillSwitch(${args}, reason: "Breach") {
        __typename ... on KillSwitch { kind client { id } fan { id } country setBy { id } } ... on Refusal { code message } } }`,
      ).then(({ answer }) => answer);
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
    const lift = `mutation { answer: liftKillSwitch(kind: CLIENT, subject: "${id}", reason: "Over") { ... on LiftedKillSwitch { wasOn } } }`;
    expect(await runAs(app, bob, lift)).toEqual({ answer: { wasOn: true } });
    expect(await runAs(app, bob, lift)).toEqual({ answer: { wasOn: false } });
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
    interface List {
      clients: { totalCount: number; nodes: { id: string; name: string; grantCount: number }[] };
    }
    const list = async (variables: Record<string, unknown>) => (await runAs<List>(app, ann, LIST, variables)).clients;

    it('is searched by a part of the name or the whole client_id, and narrowed by mode, status and partner', async () => {
      const id = await makeClient(app, { name: 'The 50% Off Shop' });
      expect((await list({ search: '50% off' })).nodes.map((client) => client.id)).toEqual([id]);
      expect((await list({ search: ` ${id} ` })).nodes.map((client) => client.id)).toEqual([id]);
      const drafts = await register({ name: 'Only A Draft' });
      expect((await list({ partnerId, status: ['DRAFT'] })).nodes.map((client) => client.id)).toEqual([drafts.id]);
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
});

describe('client steps', () => {
  interface StepSeen {
    name: keyof typeof STEP_WORDS;
    isAllowed: boolean;
    obstacle: string | null;
    to: string;
    needsVersion: boolean;
    right: { name: string; fresh: boolean };
  }

  let staff: Record<StaffRole, SignedInStaff>;

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
});
