import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import { schema } from '../../schema/schema.ts';
import { type IdPrefix, idOf, type Uuid } from '../../src/platform/identifier/type-id.ts';
import { ADDRESS_SAMPLE, sampleUuid } from './fill-tables.ts';

/** A list of the console with one of its filters or orders, as a query for a page and one for its total. */
export interface ConsoleList {
  name: string;
  page: string;
  total: string;
}

const PAGING = new Set(['after', 'before', 'first', 'last', 'sort']);

const id = (prefix: IdPrefix, kind: number, i: number) => idOf(prefix, sampleUuid(kind, i) as Uuid);

/** A value of each argument that is no enum and no boolean, which the history has. */
const SAMPLES: Readonly<Record<string, string>> = {
  partnerId: id('ptn', 1, 2),
  clientId: id('client', 2, 2),
  fanId: id('usr', 3, 10),
  eventId: id('evt', 4, 5),
  ticketTypeId: id('typ', 5, 5),
  permitId: id('perm', 7, 10),
  grantId: id('grant', 8, 10),
  ownerId: id('stf', 18, 1),
  marketplace: ADDRESS_SAMPLE,
  signature: 'none',
  subject: 'subject 7',
  requestId: 'request 7',
  actor: 'staff:x',
  action: 'client.enabled',
  operation: 'token.exchange',
  outcome: 'failed',
  status: '4xx',
  from: '2026-01-01T00:00:00Z',
  to: '2026-10-01T00:00:00Z',
};

/** A search goes for what it may find. */
const SEARCHES: Readonly<Record<string, string>> = {
  events: 'event-10',
  testEvents: 'Event 11',
  tickets: 'ticket-12',
  permits: 'ticket-12',
  partners: 'Partner 3',
  clients: 'Client 3',
  staff: 'Person 3',
  partnerMembers: 'Member 3',
  testUsers: '15550000',
};

/** Objects with lists of their own. */
const PARENTS: Readonly<Record<string, string>> = {
  client: id('client', 2, 2),
  event: id('evt', 4, 5),
  fan: id('usr', 3, 10),
  importRun: id('imp', 16, 10),
  partner: id('ptn', 1, 2),
  ticket: id('tkt', 6, 10),
};

const OTHER_SUBJECTS: Readonly<Record<string, string>> = {
  grant: id('grant', 8, 10),
  session: id('sess', 9, 10),
  permit: id('perm', 7, 10),
  listing: id('lst', 10, 10),
  claim: id('clm', 12, 10),
  request: sampleUuid(15, 10),
};

/** A client of the history. */
export const SAMPLE_CLIENT = id('client', 2, 2);

/** Every list of the schema: plain, with each value of each filter in both directions of age, and in each order. */
export function consoleLists(): ConsoleList[] {
  const query = schema.getQueryType();
  if (!query) throw new Error('the schema has queries');
  const top = listsOf(query).flatMap((field) => variantsOf(field).map((args) => listOf(field.name, args)));
  const within = Object.entries(PARENTS).flatMap(([parent, parentId]) => {
    const type = getNamedType(query.getFields()[parent]?.type);
    if (!isObjectType(type)) throw new Error(`there is no ${parent}`);
    return listsOf(type).map((field) => listOf(field.name, '', { name: parent, id: parentId }));
  });
  return [...top, ...within];
}

/** The timeline of each kind of subject, plain and with each sort of filter. */
export function timelines(): { name: string; query: string }[] {
  const subjects = { ...PARENTS, ...OTHER_SUBJECTS };
  const filters = ['', ', filter: { outcome: "failed" }', ', filter: { operation: "token.exchange" }'];
  return Object.entries(subjects).flatMap(([kind, subject]) =>
    filters.map((filter) => ({
      name: `${kind}${filter}`,
      query: `{ timeline(search: "${subject}"${filter}) { entries { title } earlier } }`,
    })),
  );
}

/** Names of the types with lists, other than the query itself. */
export function typesWithLists(): string[] {
  return Object.values(schema.getTypeMap())
    .filter((type): type is GraphQLObjectType => isObjectType(type) && type !== schema.getQueryType())
    .filter((type) => listsOf(type).length > 0)
    .map(({ name }) => name);
}

export const PARENT_TYPES = Object.keys(PARENTS).map((name) => `${name[0]?.toUpperCase()}${name.slice(1)}`);

function listsOf(type: GraphQLObjectType): GraphQLField<unknown, unknown>[] {
  return Object.values(type.getFields()).filter((field) => getNamedType(field.type).name.endsWith('Connection'));
}

function variantsOf({ name, args }: GraphQLField<unknown, unknown>): string[] {
  const filters = args.filter((arg) => !PAGING.has(arg.name)).flatMap((arg) => written(name, arg));
  const sort = args.find((arg) => arg.name === 'sort');
  const orders = sort === undefined ? [] : written(name, sort);
  return ['', ...orders, ...filters, ...(sort ? filters.map((filter) => `${filter}, sort: CREATED`) : [])];
}

/** `name: value` for each value that is tried. */
function written(list: string, { name, type }: GraphQLArgument | GraphQLInputField): string[] {
  return valuesOf(list, name, type).map((value) => `${name}: ${value}`);
}

function valuesOf(list: string, name: string, type: GraphQLInputType): string[] {
  const plain = getNullableType(type);
  if (isListType(plain)) return valuesOf(list, name, plain.ofType as GraphQLInputType).map((value) => `[${value}]`);
  if (isEnumType(plain)) return plain.getValues().map((value) => value.name);
  if (isInputObjectType(plain)) {
    return Object.values(plain.getFields()).flatMap((field) => written(list, field).map((value) => `{ ${value} }`));
  }
  if ('name' in plain && plain.name === 'Boolean') return ['true', 'false'];
  const sample = name === 'search' ? SEARCHES[list] : name === 'text' ? 'details' : SAMPLES[name];
  if (sample === undefined) throw new Error(`no value for ${name} of ${list}`);
  return [JSON.stringify(sample)];
}

function listOf(field: string, args: string, parent?: { name: string; id: string }): ConsoleList {
  const ask = (size: number, fields: string) => {
    const list = `${field}(first: ${size}${args && `, ${args}`}) { ${fields} }`;
    return parent ? `{ ${parent.name}(id: "${parent.id}") { ${list} } }` : `{ ${list} }`;
  };
  return {
    name: `${parent ? `${parent.name}.` : ''}${field}${args && ` (${args})`}`,
    page: ask(25, 'nodes { id } pageInfo { hasNextPage }'),
    total: ask(0, 'totalCount hasMoreThanTotal'),
  };
}
