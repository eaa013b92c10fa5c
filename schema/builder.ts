import SchemaBuilder, { type FieldRef } from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import SubGraphPlugin from '@pothos/plugin-sub-graph';
import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import type { RightName } from '../src/partners/rights.ts';
import { DomainError } from '../src/platform/errors.ts';
import { authorizeCall, type Call, isMember } from './context.ts';
import { MOST_COUNTED, pageSizeOf } from './lists.ts';

/**
 * One GraphQL schema with two views: one for staff, one for the members of partners. Each type has a file with its queries and
 * mutations; the rules are in `src/`. A staff query or mutation names the right that it needs, a partner one its scope
 * (`own.ts`). Every mutation returns its result or a `Refusal`.
 *
 * A field exists for staff only, unless it is in a block of `forBoth` or `forPartners`. Where partners see a type or field in
 * another form than staff, its name ends in `ForPartners`; the partners' schema drops that ending (`schema.ts`).
 */
interface SchemaTypes {
  Context: Call;
  Scalars: ScalarTypes;
  Connection: Counted;
  DefaultFieldNullability: false;
  SubGraphs: View;
}

/** What the scalars of a schema are in TypeScript. */
type ScalarTypes = {
  ID: { Input: string; Output: string };
  DateTime: { Input: Date; Output: Date };
  BigInt: { Input: bigint; Output: bigint | string | number };
  JSON: { Input: unknown; Output: unknown };
};

/** A list whose entries can be counted. */
interface Counted {
  /** Counts to one more than the most. */
  countUpTo: () => Promise<number>;
  /** `MOST_COUNTED` if omitted. */
  most?: number;
}

type View = 'staff' | 'partner';
const BOTH: View[] = ['staff', 'partner'];

/** Makes the parts that every list and every mutation has visible to staff and partners. */
const OF_BOTH = { subGraphs: BOTH, defaultSubGraphsForFields: BOTH };

/** Limits of one call: levels, fields (each alias counts), and fields times their rows. The console needs a tenth. */
const STAFF_LIMITS = { depth: 12, breadth: 300, complexity: 65_000 };
const PARTNER_LIMITS = { depth: 10, breadth: 300, complexity: 25_000 };

/** The complexity plugin's multiplier of a list whose length is not known. */
const LIST_MULTIPLIER = 10;

export const builder = new SchemaBuilder<SchemaTypes>({
  // errors is first so that it catches refusals of the authorization
  plugins: [ErrorsPlugin, ScopeAuthPlugin, RelayPlugin, DataloaderPlugin, ComplexityPlugin, SubGraphPlugin],
  // a type without a field for partners can't be reached in their schema
  subGraphs: { defaultForTypes: BOTH, defaultForFields: ['staff'] },
  defaultFieldNullability: false,
  errors: { defaultTypes: [DomainError], directResult: true },
  scopeAuth: { authScopes: () => ({}) },
  complexity: {
    limit: ({ viewer }) => (isMember(viewer) ? PARTNER_LIMITS : STAFF_LIMITS),
    // a paged field counts once for each row that its page may have
    fieldComplexity: (args, _call, field) =>
      field.args.some(({ name }) => name === 'first')
        ? { field: 1, multiplier: pageSizeOf(args) / LIST_MULTIPLIER }
        : 1,
    complexityError: (kind) =>
      new DomainError('invalid_request', `The query is too large: its ${kind.toLowerCase()} is over the limit.`),
  },
  relay: {
    clientMutationId: 'omit',
    cursorType: 'String',
    nodesOnConnection: true,
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    pageInfoTypeOptions: OF_BOTH,
    defaultConnectionTypeOptions: OF_BOTH,
    defaultEdgeTypeOptions: OF_BOTH,
  },
});

builder.queryType();
builder.mutationType();

/** Marks an argument or input field that only staff see, within a field for both. */
export const STAFF_ONLY = { subGraphs: ['staff' as const] };

/** Marks fields, with their arguments, for staff and partners. */
export function forBoth<Fields extends FieldsOfType>(fields: Fields): Fields {
  return marked(fields, BOTH);
}

/** Marks fields for partners alone. */
export function forPartners<Fields extends FieldsOfType>(fields: Fields): Fields {
  return marked(fields, ['partner']);
}

type AllTypes = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;
type FieldsOfType = Record<string, FieldRef<AllTypes>>;

/** The type of `t`, for a function that defines fields of two types. */
export type FieldsOf<Shape> = PothosSchemaTypes.ObjectFieldBuilder<AllTypes, Shape>;

function marked<Fields extends FieldsOfType>(fields: Fields, subGraphs: View[]): Fields {
  for (const field of Object.values(fields)) {
    field.updateConfig((config) => {
      // a copy, because another field may share the options
      const pothosOptions = { ...config.pothosOptions, subGraphs };
      return Object.assign(config, { pothosOptions });
    });
  }
  return fields;
}

/**
 * The authorization of a field for staff: `authScopes: right('clients:write')`. A mutation that reads beyond its result needs
 * the right to read too. A field that partners see too is open to each of their members.
 * @throws DomainError, as `requireRight` does
 */
export function right(name: RightName) {
  const check = async (_parent: unknown, _args: unknown, call: Call, info: GraphQLResolveInfo) => {
    if (isMember(call.viewer) && isForPartners(info)) return true;
    await authorizeCall(call, name, info.fieldName);
    if (readsBeyondResult(info)) await authorizeCall(call, 'console:read', info.fieldName);
    return true;
  };
  return Object.assign(check, { right: name });
}

function isForPartners({ parentType, fieldName }: GraphQLResolveInfo): boolean {
  const views: unknown = parentType.getFields()[fieldName]?.extensions.subGraphs;
  return Array.isArray(views) && views.includes('partner');
}

/** The options of every mutation of staff, `...mutation('keys:rotate')`: its right, and refusals as results. */
export function mutation(name: RightName) {
  return { authScopes: right(name), errors: {} };
}

/** The options of every mutation that only partners have. */
export const CHANGE = { errors: {} };

/** A GraphQL enum over a list of values: `sandbox-ready` becomes `SANDBOX_READY`. */
export function enumOf<const Values extends readonly string[]>(name: string, values: Values, description?: string) {
  const members = Object.fromEntries(
    values.map((value) => [value.toUpperCase().replace(/\W/g, '_'), { value: value as Values[number] }]),
  );
  return builder.enumType(name, { values: members, ...(description !== undefined && { description }) });
}

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    description: `Entries of all pages, counted up to ${MOST_COUNTED.toLocaleString('en')}. Counting can take longer than reading a page; select it in a separate call.`,
    subGraphs: BOTH,
    resolve: async (connection) => Math.min(await connection.countUpTo(), connection.most ?? MOST_COUNTED),
  }),
);
builder.globalConnectionField('hasMoreThanTotal', (t) =>
  t.boolean({
    description: 'Whether there are more entries than `totalCount`.',
    subGraphs: BOTH,
    resolve: async (connection) => (await connection.countUpTo()) > (connection.most ?? MOST_COUNTED),
  }),
);

builder.objectType(DomainError, {
  name: 'Refusal',
  description: 'Why a change was refused. Nothing was changed.',
  fields: (t) =>
    forBoth({
      code: t.exposeString('code', { description: 'Stable, for programs: `stale_edit`, `conflict`, `not_found`, …' }),
      message: t.exposeString('message', { description: 'For people: what is wrong and how to fix it.' }),
    }),
});

/** The result of a mutation, and the objects that it refers to. */
const LEVELS_OF_A_RESULT = 2;

/**
 * Whether a mutation selects more than its result and what the result refers to. References lead everywhere from there,
 * so a right to change one thing would become a right to read everything.
 */
function readsBeyondResult({ fieldNodes, fragments, operation }: GraphQLResolveInfo): boolean {
  const seen = new Set<string>();
  const isDeep = (selected: SelectionSetNode | undefined, level: number): boolean =>
    selected !== undefined &&
    (level > LEVELS_OF_A_RESULT ||
      selected.selections.some((selection) => {
        if (selection.kind === Kind.FIELD) return isDeep(selection.selectionSet, level + 1);
        if (selection.kind === Kind.INLINE_FRAGMENT) return isDeep(selection.selectionSet, level);
        // fragments may include one another many times over
        const visit = `${level} ${selection.name.value}`;
        if (seen.has(visit)) return false;
        seen.add(visit);
        return isDeep(fragments[selection.name.value]?.selectionSet, level);
      }));
  return operation.operation === 'mutation' && fieldNodes.some(({ selectionSet }) => isDeep(selectionSet, 1));
}
