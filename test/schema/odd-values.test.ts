import {
  execute,
  GraphQLError,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import type { Call } from '../../schema/context.ts';
import { schema } from '../../schema/schema.ts';
import { Fan } from '../../src/entities/fan.ts';
import { Partner } from '../../src/entities/partner.ts';
import { Permit } from '../../src/entities/permit.ts';
import { TicketType } from '../../src/entities/ticket.ts';
import { DomainError } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/identifier/type-id.ts';
import { createContext } from '../../src/runtime.ts';
import { png } from '../src/partners/client/logo-images.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

/** Values that operations take, by the names of their arguments, so that an odd one gets as far as the database. */
let usual: Record<string, unknown>;
const app = await testApp();
beforeAll(async () => {
  const { em } = app.context();
  const first = async (entity: typeof Partner | typeof TicketType | typeof Permit | typeof Fan) =>
    (await em.findAll<{ id: string }>(entity as never, { limit: 1 }))[0]?.id;
  usual = {
    partnerId: await first(Partner),
    ticketTypeId: await first(TicketType),
    permitIds: [await first(Permit)],
    fanIds: [await first(Fan)],
    fanId: await first(Fan),
    clientId: app.kit.client_id,
    redirectUris: ['https://shop.example/callback'],
    loopbackAnyPort: false,
    endsAt: '2028-01-01T00:00:00Z',
  };
});

const ODD_TEXTS = ['', '\0', 'a\0b', '🎟️'.repeat(2_000), '%_\\', "'; --", '__proto__', 'staff:\0'];
const ODD: Record<string, unknown[]> = {
  Int: [-1, 0, 2_147_483_647, -2_147_483_648],
  Boolean: [true, false],
  DateTime: ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  BigInt: ['9'.repeat(20), '-1'],
  ID: [...ODD_TEXTS, 'usr_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'stf_00000000000000000000000000', crypto.randomUUID()],
};

/** A value that the operation takes, or at least one of the type. */
function usualOf(name: string, type: GraphQLInputType): unknown {
  if (name in usual) return usual[name];
  if (isNonNullType(type)) return usualOf(name, type.ofType);
  if (isListType(type)) return [usualOf(name, type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    return Object.fromEntries(
      Object.values(type.getFields()).map((field) => [field.name, usualOf(field.name, field.type)]),
    );
  }
  if (type.name === 'DateTime') return '2027-01-01T00:00:00Z';
  return type.name === 'Boolean' ? true : type.name === 'Int' ? 1 : name === 'scopes' ? 'openid' : 'x';
}

function oddOf(type: GraphQLInputType, base: unknown): unknown[] {
  if (isNonNullType(type)) return oddOf(type.ofType, base);
  if (isListType(type)) return [[], ...oddOf(type.ofType, undefined).map((value) => [value]), Array(60).fill('x')];
  if (isEnumType(type)) return type.getValues().map(({ name }) => name);
  if (!isInputObjectType(type)) return ODD[type.name] ?? ODD_TEXTS;
  return Object.values(type.getFields()).flatMap((field) =>
    oddOf(field.type, undefined).map((value) => ({ ...(base as object), [field.name]: value })),
  );
}

/** The first list is read, so that a filter comes to the database. */
function documentOf(kind: 'query' | 'mutation', { name, args, type }: GraphQLField<unknown, unknown>): string {
  const named = getNamedType(type);
  const list = isObjectType(named) && 'nodes' in named.getFields();
  const selection = isLeafType(named) ? '' : list ? '{ totalCount nodes { __typename } }' : '{ __typename }';
  if (args.length === 0) return `${kind} { ${name} ${selection} }`;
  const declared = args.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
  const given = args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  return `${kind} (${declared}) { ${name}(${given}) ${selection} }`;
}

async function faultsOf(kind: 'query' | 'mutation', field: GraphQLField<unknown, unknown>): Promise<string[]> {
  const staff = await newStaff(app);
  const document = parse(documentOf(kind, field));
  const faults: string[] = [];
  const required = field.args.filter(({ type }) => isNonNullType(type));
  for (const { name, type } of field.args) {
    const values = Object.fromEntries(
      required.map((argument) => [argument.name, usualOf(argument.name, argument.type)]),
    );
    for (const value of oddOf(type, usualOf(name, type))) {
      if (name === 'id') values.id = (await newStaff(app)).id;
      const work = () => createContext(app.runtime, crypto.randomUUID());
      const contextValue: Call = { context: work(), work, viewer: staff };
      const { errors = [] } = await execute({
        schema,
        document,
        contextValue,
        variableValues: { ...values, [name]: value },
      });
      for (const { originalError } of errors) {
        if (!originalError || originalError instanceof DomainError || originalError instanceof GraphQLError) continue;
        faults.push(`${name} ${JSON.stringify(value).slice(0, 200)}: ${originalError.message}`);
      }
    }
  }
  return faults;
}

const OPERATIONS = (['query', 'mutation'] as const).flatMap((kind) =>
  Object.values((kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {})
    .filter(({ args }) => args.length > 0)
    .map((field) => [kind, field.name, field] as const),
);

test.each(OPERATIONS)('%s %s: no odd value of an argument is a fault of ours', async (kind, _, field) => {
  expect(await faultsOf(kind, field)).toEqual([]);
});

/** Arguments of which an id of nothing is no error or another one, or of which another argument is refused first. */
const OTHERWISE = [
  'grantPermits.fanIds',
  'proposals.subject',
  'proposeNumberChange.fanId',
  'request.id',
  'setPartnerProvider.partnerId',
  'staffTokens.ownerId',
];
const IDS = OPERATIONS.flatMap(([kind, operation, field]) =>
  field.args
    .filter(({ name, type }) => getNamedType(type).name === 'ID' && !OTHERWISE.includes(`${operation}.${name}`))
    .map(({ name }) => [kind, operation, name, field] as const),
);
/** What an id begins with, by its argument, or by its query where it is called `id`; an `id` alone is of staff. */
const KINDS: Record<string, string> = {
  ...{ accountId: 'sva', clientId: 'client', endpointId: 'nep', fanId: 'usr', grantId: 'grant', memberId: 'mem' },
  ...{ moveId: 'move', partnerId: 'ptn', passkeyId: 'pky', permitId: 'perm', permitIds: 'perm', proposalId: 'prop' },
  ...{ reviewId: 'rev', runId: 'imp', ticketTypeId: 'typ' },
  ...{ claim: 'clm', client: 'client', event: 'evt', fan: 'usr', grant: 'grant', importRun: 'imp', listing: 'lst' },
  ...{ partner: 'ptn', permit: 'perm', proposal: 'prop', ticket: 'tkt' },
};
/** So that no other argument is refused first. */
const VALID = {
  base64: png().toString('base64'),
  destination: '1'.repeat(32),
  email: 'a@b.example',
  rows: [{ _line: 1 }],
};

test.each(IDS)('%s %s: %s of nothing, or of another kind, is `not_found`', async (kind, operation, name, field) => {
  const document = documentOf(kind, field).replace('{ __typename }', '{ __typename ... on Refusal { code } }');
  const ask = async (id: string) => {
    const given = field.args.filter((argument) => isNonNullType(argument.type) || argument.name === name);
    const values = given.map((argument) => [argument.name, usualOf(argument.name, argument.type)]);
    const answer = await runAs(app, await newStaff(app), document, {
      ...Object.fromEntries(values),
      ...VALID,
      [name]: id,
    });
    return answer[operation];
  };
  const unknown = newId((KINDS[name] ?? KINDS[operation] ?? 'stf') as 'usr');
  const foreign = unknown.startsWith('usr') ? app.kit.client_id : (app.kit.test_users[0]?.id ?? '');
  for (const id of ['x', foreign])
    if (kind === 'query') await expect(ask(id)).rejects.toMatchObject({ code: 'not_found' });
    else expect(await ask(id)).toMatchObject({ code: 'not_found' });
  if (kind === 'mutation') expect(await ask(unknown)).toMatchObject({ code: 'not_found' });
  // a list leaves none, and a query of one thing answers that there is none
  else if (name === 'id') expect(await ask(unknown)).toBeNull();
});
