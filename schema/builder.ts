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
 * One GraphQL schema of which staff and the people of partners each have a view: one file per type, with its queries and
 * mutations; rules are in `src/`. Every query and mutation of staff names the right that it needs, every one of partners its
 * scope (`own.ts`), and every mutation answers with its result or a `Refusal`.
 *
 * A field is for staff alone unless it is in a block of `forBoth` or `forPartners`, and what is not marked for partners does not
 * exist in their schema. Where partners have something in another form than staff, its name ends in `ForPartners`, which is
 * taken off in their schema (`schema.ts`).
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
  /** Counts to one more than `MOST_COUNTED`. */
  countUpTo: () => Promise<number>;
}

type View = 'staff' | 'partner';
const BOTH: View[] = ['staff', 'partner'];

/** Parts that every list and every mutation has, for whom the list or the mutation is. */
const OF_BOTH = { subGraphs: BOTH, defaultSubGraphsForFields: BOTH };

/** Limits of one call: levels, fields (each alias counts), and fields times their rows. The console needs a tenth. */
const STAFF_LIMITS = { depth: 12, breadth: 300, complexity: 65_000 };
const PARTNER_LIMITS = { depth: 10, breadth: 300, complexity: 25_000 };

/** The complexity plugin's multiplier of a list whose length is not known. */
const LIST_MULTIPLIER = 10;

export const builder = new SchemaBuilder<SchemaTypes>({
  // errors first, so that it sees what the authorization refuses
  plugins: [ErrorsPlugin, ScopeAuthPlugin, RelayPlugin, DataloaderPlugin, ComplexityPlugin, SubGraphPlugin],
  // a type without a field for partners can't be reached in their schema
  subGraphs: { defaultForTypes: BOTH, defaultForFields: ['staff'] },
  defaultFieldNullability: false,
  errors: { defaultTypes: [DomainError], directResult: true },
  scopeAuth: { authScopes: () => ({}) },
  complexity: {
    limit: ({ viewer }) => (isMember(viewer) ? PARTNER_LIMITS : STAFF_LIMITS),
    // a field with pages counts as often as its page may have rows
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

/** Marks what an argument or an input has for staff alone, within a field for both. */
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

/** The `t` of the fields of an object: for a function with the fields of two types. */
export type FieldsOf<Shape> = PothosSchemaTypes.ObjectFieldBuilder<AllTypes, Shape>;

function marked<Fields extends FieldsOfType>(fields: Fields, subGraphs: View[]): Fields {
  for (const field of Object.values(fields)) {
    field.updateConfig((config) => {
      // a copy: the options may be those of a field elsewhere too
      const pothosOptions = { ...config.pothosOptions, subGraphs };
      return Object.assign(config, { pothosOptions });
    });
  }
  return fields;
}

/**
 * The authorization of a field for staff: `authScopes: right('clients:write')`. A mutation that reads beyond its result needs
 * the right to read too. A field that is for partners too is for every member of theirs.
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

/** The options of every mutation of staff, `...mutation('keys:rotate')`: its right, and that it answers with refusals. */
export function mutation(name: RightName) {
  return { authScopes: right(name), errors: {} };
}

/** The options of every mutation of partners alone. */
export const CHANGE = { errors: {} };

/** A GraphQL enum over a list of values: `sandbox-ready` is `SANDBOX_READY` there. */
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
    resolve: async (connection) => Math.min(await connection.countUpTo(), MOST_COUNTED),
  }),
);
builder.globalConnectionField('hasMoreThanTotal', (t) =>
  t.boolean({
    description: 'Whether there are more entries than `totalCount`.',
    subGraphs: BOTH,
    resolve: async (connection) => (await connection.countUpTo()) > MOST_COUNTED,
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

/** The result of a mutation, and what that refers to. */
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
