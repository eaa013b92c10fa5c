import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type { GraphQLResolveInfo } from 'graphql';
import { DomainError } from '../src/errors.ts';
import type { RightName } from '../src/staff/rights.ts';
import { authorizeCall, type StaffCall } from './context.ts';
import { pageSizeOf } from './keyset.ts';
import { readsOn } from './reads-on.ts';

/**
 * The internal GraphQL schema, which the console and automation speak. One file per type, with its queries and mutations
 * beside it; rules live in `src/`. Every query and every mutation names the right that it needs (`right`), and every
 * mutation answers with its result or a `Refusal`.
 */
export interface SchemaTypes {
  Context: StaffCall;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    BigInt: { Input: bigint; Output: bigint | string | number };
    JSON: { Input: unknown; Output: unknown };
  };
  Connection: { totalCount: () => Promise<number> };
  DefaultFieldNullability: false;
}

/**
 * What one call may ask for: levels, fields (each alias counts), and fields times the rows that they may stand in. The
 * console's largest view takes a tenth.
 */
const QUERY_LIMITS = { depth: 12, breadth: 300, complexity: 60_000 };

/** What a list counts as where its length is not known, as the complexity plugin has it. */
const LIST_MULTIPLIER = 10;

export const builder = new SchemaBuilder<SchemaTypes>({
  // errors first: it must see what the authorization refuses
  plugins: [ErrorsPlugin, ScopeAuthPlugin, RelayPlugin, DataloaderPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  errors: { defaultTypes: [DomainError], directResult: true },
  scopeAuth: { authScopes: () => ({}) },
  complexity: {
    limit: QUERY_LIMITS,
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
  },
});

builder.queryType();
builder.mutationType();

/**
 * The authorization of a field: `authScopes: right('clients:write')`. Where a mutation is used to read on as well, that has
 * to be allowed too.
 * @throws DomainError, as `requireRight` does
 */
export function right(name: RightName) {
  const check = async (_parent: unknown, _args: unknown, call: StaffCall, info: GraphQLResolveInfo) => {
    await authorizeCall(call, name, info.fieldName);
    if (readsOn(info)) await authorizeCall(call, 'console:read', info.fieldName);
    return true;
  };
  return Object.assign(check, { right: name });
}

/** A GraphQL enum over a list of values: `sandbox-ready` is `SANDBOX_READY` there. */
export function enumOf<const Values extends readonly string[]>(name: string, values: Values, description?: string) {
  const members = Object.fromEntries(
    values.map((value) => [value.toUpperCase().replace(/\W/g, '_'), { value: value as Values[number] }]),
  );
  return builder.enumType(name, { values: members, ...(description !== undefined && { description }) });
}

builder.globalConnectionField('totalCount', (t) => t.int({ resolve: (connection) => connection.totalCount() }));

builder.objectType(DomainError, {
  name: 'Refusal',
  description: 'Why something was not done. Nothing was changed.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Stable, for programs: `stale_edit`, `conflict`, `forbidden`, …' }),
    message: t.exposeString('message', { description: 'For the person who asked; names what is wrong.' }),
  }),
});
