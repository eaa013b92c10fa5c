import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { partnerSchema as schema } from '../../../schema/schema.ts';
import { newId } from '../../../src/platform/identifier/type-id.ts';
import type { Side } from './create-side.ts';

export type Field = GraphQLField<unknown, unknown>;
export type Values = Record<string, unknown>;

export const QUERIES: Field[] = Object.values(schema.getQueryType()?.getFields() ?? {});
export const MUTATIONS: Field[] = Object.values(schema.getMutationType()?.getFields() ?? {});

/** Deep enough to come back from every type to every other. */
const DEPTH = 7;

/** Everything below a field: each field of each type, but no type inside of itself. */
function selectionOf(type: GraphQLNamedType, within: readonly string[] = []): string {
  if (isUnionType(type) || isInterfaceType(type)) {
    const parts = schema.getPossibleTypes(type).map((each) => `... on ${each.name} ${selectionOf(each, within)}`);
    return `{ __typename ${parts.join(' ')} }`;
  }
  if (!isObjectType(type) || within.includes(type.name) || within.length > DEPTH) return '';
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type);
    const isLeaf = !(isObjectType(named) || isUnionType(named) || isInterfaceType(named));
    const below = selectionOf(named, [...within, type.name]);
    return isLeaf ? [field.name] : below === '' ? [] : [`${field.name} ${below}`];
  });
  return `{ __typename ${fields.join(' ')} }`;
}

/** A document of one field with all that is below it; every argument is a variable. */
export function documentOf(field: Field, kind: 'query' | 'mutation', given: Values): string {
  const used = field.args.filter(({ name }) => name in given);
  const declared = used.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  // a page of the default size is too large with all that is below it
  const page = field.args.some(({ name }) => name === 'first') ? ['first: 10'] : [];
  const passed = [...used.map(({ name }) => `${name}: $${name}`), ...page].join(', ');
  const bracket = (text: string) => (text === '' ? '' : `(${text})`);
  return `${kind} ${bracket(declared)} { ${field.name}${bracket(passed)} ${selectionOf(getNamedType(field.type))} }`;
}

/** A value for each argument that a partner's call can have, by its name or with its field's. One without any fails the test. */
const ARGUMENTS: Record<string, (side: Side) => unknown> = {
  clientId: ({ sandbox }) => sandbox,
  endpointId: ({ poller }) => poller,
  mode: () => 'SANDBOX',
  note: () => 'A note.',
  reason: () => 'A reason.',
  'client.id': ({ sandbox }) => sandbox,
  'goLiveCheck.id': ({ goLiveCheck }) => goLiveCheck,
  'goLiveChecks.attachedTo': ({ draft }) => draft,
  'lintRegistration.registration': registration,
  'permits.eventId': ({ event }) => event,
  'permits.fanId': ({ testUser }) => testUser,
  'permits.state': () => 'REVOKED',
  'request.id': ({ request }) => request,
  'requests.filter': () => ({ outcome: 'failed' }),
  'testEvents.over': () => false,
  'usage.period': () => 'DAY',

  'attachGoLiveCheck.clientId': ({ draft }) => draft,
  'attachGoLiveCheck.id': ({ goLiveCheck }) => goLiveCheck,
  'notificationEndpoint.id': ({ endpoint }) => endpoint,
  'notifications.state': () => 'WAITING',

  'addNotificationEndpoint.endpoint': () => ({ format: 'SET_POLL', types: ['grant.revoked'] }),
  'changeNotificationEndpoint.changes': () => ({ types: ['listing.ended'] }),
  'replayNotification.notificationId': ({ notification }) => notification,
  'advanceClock.aheadSeconds': () => 60,
  'armFailure.failure': () => 'UNAVAILABLE',
  'armFailure.operation': () => 'tickets.list',
  'armFailure.times': () => 2,
  'armFailure.seconds': () => 5,
  'armFailure.minutes': () => 10,
  'createStarterKit.requestKey': () => 'another',
  'createTestEvent.input': ({ name }) => ({
    name: `${name} Matinee`,
    startsAt: '2030-01-01T18:00:00Z',
    endsAt: '2030-01-01T20:00:00Z',
    ticketTypes: ['Seated'],
  }),
  'createTestUsers.count': () => 1,
  'disarmFailure.failure': () => 'SLOW_ANSWER',
  'editClient.clientId': ({ approved }) => approved,
  'editClient.version': ({ approvedVersion }) => approvedVersion,
  'editClient.changes': ({ name }) => ({ redirectUris: [`https://${name.toLowerCase()}.example/newest`] }),
  'endCheck.id': ({ goLiveCheck }) => goLiveCheck,
  'endMySession.id': ({ member }) => member.sessionId,
  'finishGoLiveCheck.id': ({ goLiveCheck }) => goLiveCheck,
  'grantPermits.ticketTypeId': ({ ticketType }) => ticketType,
  'grantPermits.fanIds': ({ testUser }) => [testUser],
  'inviteMember.email': ({ name }) => `new-${name.toLowerCase()}@partner.example`,
  'inviteMember.name': ({ name }) => `${name} New`,
  'inviteMember.role': () => 'DEVELOPER',
  'registerClient.registration': registration,
  'removeMember.memberId': ({ leaver }) => leaver,
  'resendInvitation.memberId': ({ invited }) => invited,
  'resetSandbox.confirm': ({ name }) => `${name} Ltd`,
  'resetSandbox.keepTestUsers': () => false,
  'restorePermits.permitIds': ({ revokedPermit }) => [revokedPermit],
  'revokePermits.permitIds': ({ permit }) => [permit],
  'startCheck.check': () => 'wrong-state',
  'startCheck.id': ({ goLiveCheck }) => goLiveCheck,
  'startGoLiveCheck.clientId': ({ spare }) => spare,
  'setMemberRole.memberId': ({ colleague }) => colleague,
  'setMemberRole.role': () => 'ADMINISTRATOR',
  'submitClient.clientId': ({ draft }) => draft,
  'withdrawReview.clientId': ({ inReview }) => inReview,
};

function registration({ name }: Side) {
  return {
    name: `${name} again`,
    mode: 'SANDBOX',
    redirectUris: [`https://${name.toLowerCase()}.example/again`],
    scopes: ['openid'],
    marketplaces: ['ECxd6AZ3B4tMSpzcrpmPGxZV4dGtu2Sdbdm6LDcWRu7b'],
  };
}

const PAGE = new Set(['first', 'last', 'after', 'before']);

/** The arguments of a call with a side's own data. @throws Error for an argument without a value */
export function argumentsOf(field: Field, side: Side): Values {
  const given = field.args.filter(({ name }) => !PAGE.has(name));
  return Object.fromEntries(
    given.map(({ name }) => {
      const value = ARGUMENTS[`${field.name}.${name}`] ?? ARGUMENTS[name];
      if (!value) throw new Error(`${field.name}.${name} needs a value in walk-schema.ts`);
      return [name, value(side)];
    }),
  );
}

/** The arguments that name something by its id. @throws Error for an id inside of an input, which no test would reach */
export function idArgumentsOf(field: Field): string[] {
  return field.args.flatMap(({ name, type }) => {
    if (hasIdInside(type)) throw new Error(`${field.name}.${name} has an id inside: give it an argument of its own`);
    return getNamedType(type).name === 'ID' ? [name] : [];
  });
}

function hasIdInside(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return false;
  return Object.values(named.getFields()).some(
    (field) => getNamedType(field.type).name === 'ID' || hasIdInside(field.type),
  );
}

/** An id of the same kind that nothing has. */
export function unknownLike(id: unknown): unknown {
  if (Array.isArray(id)) return id.map(unknownLike);
  const text = String(id);
  const prefix = /^([a-z]+)_/.exec(text)?.[1];
  if (prefix !== undefined && text.length > 20) return newId(prefix as 'usr');
  return /^[0-9a-f]{8}-/.test(text) ? crypto.randomUUID() : text.replace(/./g, 'x');
}

/** Every `Type.field` that a query can return. */
export function allFields(): string[] {
  const seen = new Set<string>();
  const fields: string[] = [];
  const visit = (type: GraphQLNamedType): void => {
    if (!isObjectType(type) || seen.has(type.name)) return;
    seen.add(type.name);
    for (const field of Object.values(type.getFields())) {
      fields.push(`${type.name}.${field.name}`);
      visit(getNamedType(field.type));
    }
  };
  for (const { type } of QUERIES) visit(getNamedType(type));
  return fields;
}

/** Calls `see` for every member of an answer, with its `Type.field`. */
export function visitAnswer(value: unknown, see: (field: string, value: unknown) => void): void {
  if (Array.isArray(value)) for (const each of value) visitAnswer(each, see);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const { __typename: type, ...fields } = value as Record<string, unknown>;
  for (const [name, member] of Object.entries(fields)) {
    if (typeof type === 'string') see(`${type}.${name}`, member);
    visitAnswer(member, see);
  }
}

/** Texts in an answer that say whose it is: no names of kinds, no times. */
export function textsIn(value: unknown): Set<string> {
  const texts = new Set<string>();
  visitAnswer({ value }, (_, member) => addTexts(texts, member));
  addTexts(texts, value);
  return texts;
}

function addTexts(texts: Set<string>, value: unknown): void {
  if (typeof value === 'string' && value.length >= 6 && !/^\d{4}-\d\d-\d\dT/.test(value)) texts.add(value);
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) addTexts(texts, each);
}
