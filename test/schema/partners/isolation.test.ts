import { beforeAll, describe, expect, test } from 'vitest';
import { Permit } from '../../../src/entities/permit.ts';
import { Ticket } from '../../../src/entities/ticket.ts';
import { createTestUsers } from '../../../src/sandbox/test-users.ts';
import { newMember, runAsMember } from '../../support/member-call.ts';
import { testApp } from '../../support/test-app.ts';
import { createSide, type Side } from './create-side.ts';
import {
  allFields,
  argumentsOf,
  documentOf,
  type Field,
  idArgumentsOf,
  MUTATIONS,
  QUERIES,
  textsIn,
  unknownLike,
  type Values,
  visitAnswer,
} from './walk-schema.ts';

type Answers = Record<string, unknown>;
type Change = Record<string, { __typename: string; message?: string }>;
let own: Side;
let other: Side;
/** All that a member sees, before and after another partner with the same kinds of data came. */
let alone: Answers;
let beside: Answers;
let others: Answers;
const app = await testApp();
beforeAll(async () => {
  const now = new Date();
  app.runtime.now = () => now;
  await createTestUsers(app.context(), { count: 1 }, 'system');
  own = await createSide(app, 'Own');
  // a ticket that was sold on: to somebody who is nobody here, then to a test user of the other partner
  const { em } = app.context();
  const { ticket } = await em.findOneOrFail(Permit, { id: own.permit });
  await em.nativeUpdate(Ticket, { id: ticket.id }, { owner: null });
  alone = await seenBy(own);
  other = await createSide(app, 'Other');
  await em.nativeUpdate(Ticket, { id: ticket.id }, { owner: other.testUser });
  beside = await seenBy(own);
  others = await seenBy(other);
});

function ask(side: Side, field: Field, kind: 'query' | 'mutation', given: Values): Promise<Answers> {
  return runAsMember(app, side.member, documentOf(field, kind, given), given);
}

/** The arguments that may not be left out. */
function requiredOf(field: Field, side: Side): Values {
  const all = argumentsOf(field, side);
  const required = field.args.filter(({ type }) => String(type).endsWith('!'));
  return Object.fromEntries(required.map(({ name }) => [name, all[name]]));
}

/** Every query, without the arguments that may be left out, and once more with each of them. */
async function seenBy(side: Side): Promise<Answers> {
  const seen: Answers = {};
  for (const field of QUERIES) {
    const all = argumentsOf(field, side);
    const required = requiredOf(field, side);
    seen[field.name] = await ask(side, field, 'query', required);
    for (const name of Object.keys(all).filter((each) => !(each in required))) {
      seen[`${field.name} by ${name}`] = await ask(side, field, 'query', { ...required, [name]: all[name] });
    }
  }
  return seen;
}

/** What shows that a row is the other partner's. */
function marks(): string[] {
  const seen = textsIn(alone);
  return [...textsIn(others)].filter((text) => !seen.has(text));
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

describe('the test itself', () => {
  test('sees a value in every field of the schema', () => {
    const found = new Set<string>();
    visitAnswer([beside, others], (field, value) => {
      if (!isEmpty(value)) found.add(field);
    });
    expect(allFields().filter((field) => !found.has(field) && !WITHOUT_VALUE.has(field))).toEqual([]);
  });

  test('knows each thing of the other partner by its id and name', () => {
    const known = new Set(marks());
    const { approvedVersion: _, member, inReview: _review, ...rest } = other;
    for (const value of [...Object.values(rest), member.id, member.sessionId, other.inReview].filter(
      (each) => each !== 'Other',
    ))
      expect(known.has(String(value)) || value === other.ticketType, String(value)).toBe(true);
  });
});

/** These are null while nothing is wrong, from a public address, and without a test network. */
const WITHOUT_VALUE = new Set([
  ...[
    'name',
    'redirectUrisFault',
    'scopesFault',
    'loopbackAnyPort',
    'refreshRetryWindow',
    'privacyUrl',
    'marketplacesFault',
  ].map((name) => `RegistrationLint.${name}`),
  'LintedEntry.fault',
  'MemberSession.network',
  'ServiceAddresses.sandboxRpcUrl',
]);

describe('no query reaches another partner', () => {
  test('what a partner sees is the same whether or not there are others', () => {
    expect(beside).toEqual(alone);
  });

  test('nothing that it sees is another partner’s', () => {
    const seen = textsIn(beside);
    expect(marks().filter((mark) => seen.has(mark))).toEqual([]);
    expect(marks().length).toBeGreaterThan(50);
  });

  const byId = QUERIES.flatMap((field) =>
    idArgumentsOf(field).map((argument) => [field.name, argument, field] as const),
  );
  test.each(byId)('%s with %s of another partner answers as for what does not exist', async (name, argument, field) => {
    const mine = argumentsOf(field, own);
    // another filter could hide what this one must not find
    const required = requiredOf(field, own);
    const answer = (value: unknown) =>
      ask(own, field, 'query', { ...required, [argument]: value }).catch((error: Error) => ({ [name]: error.message }));
    const theirs = argumentsOf(field, other)[argument];
    const unknown = unknownLike(theirs);
    expect(withoutIds(await answer(theirs), theirs)).toEqual(withoutIds(await answer(unknown), unknown));
    const found = await answer(mine[argument]);
    expect(withoutIds(found, mine[argument]), 'its own is found').not.toEqual(withoutIds(await answer(theirs), theirs));
  });
});

/** The same, whatever id was asked for. */
function withoutIds(answer: unknown, ids: unknown): string {
  return [ids].flat().reduce<string>((text, id) => text.replaceAll(String(id), 'ID'), JSON.stringify(answer));
}

async function digests(): Promise<Record<string, string>> {
  const { em } = app.context();
  const tables = await em.execute<{ name: string }[]>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await em.execute<{ digest: string }[]>(
      `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest from "${name}" t`,
    );
    found[name] = row?.digest ?? '';
  }
  return found;
}

/** They take away what others made. */
const ENDING = /^(disarm|end|finish|remove|reset|restore|revoke|withdraw)/;
const LAST = 'startCheck endCheck finishGoLiveCheck removeNotificationEndpoint resetSandbox endMySession'.split(' ');

describe('no mutation reaches another partner', () => {
  const byId = MUTATIONS.flatMap((field) =>
    idArgumentsOf(field).map((argument) => [field.name, argument, field] as const),
  );
  test.each(byId)(
    '%s with %s of another partner changes nothing, and is refused as for what does not exist',
    async (name, argument, field) => {
      const mine = argumentsOf(field, own);
      const before = await digests();
      const answer = async (value: unknown) => {
        const { [name]: refusal } = (await ask(own, field, 'mutation', { ...mine, [argument]: value })) as Change;
        return refusal;
      };
      const theirs = argumentsOf(field, other)[argument];
      const unknown = unknownLike(theirs);
      const refused = await answer(theirs);
      expect(refused).toMatchObject({ __typename: 'Refusal' });
      expect(withoutIds(refused, theirs)).toEqual(withoutIds(await answer(unknown), unknown));
      expect(await digests()).toEqual(before);
    },
  );

  test('each works with one’s own data, and the other partner sees nothing of it', async () => {
    const inOrder = [...MUTATIONS].sort((one, two) => LAST.indexOf(one.name) - LAST.indexOf(two.name));
    for (const field of inOrder) {
      // what was made until now is still there
      if (ENDING.test(field.name)) expect(await seenBy(other), `before ${field.name}`).toEqual(others);
      const { [field.name]: done } = (await ask(own, field, 'mutation', argumentsOf(field, own))) as Change;
      expect(done?.__typename, `${field.name}: ${done?.message}`).not.toBe('Refusal');
    }
    expect(await seenBy(other)).toEqual(others);
  });

  test('another person of the same partner keeps their sessions', async () => {
    const colleague = await newMember(app, own.partner, 'Own Colleague');
    const document = 'mutation ($id: ID!) { endMySession(id: $id) { ... on Refusal { code } ... on Viewer { id } } }';
    expect(await runAsMember(app, own.member, document, { id: colleague.sessionId })).toEqual({
      endMySession: { code: 'not_found' },
    });
  });
});
