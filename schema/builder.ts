import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type { GraphQLResolveInfo } from 'graphql';
import type { RightName } from '../src/partners/rights.ts';
import { DomainError } from '../src/platform/errors.ts';
import { CONNECTION_COUNTS, type Counted } from './connection-counts.ts';
import { authorizeCall, type StaffCall } from './context.ts';
import { queryLimits } from './query-limits.ts';
import { readsBeyondResult } from './reads-beyond-result.ts';
import type { ScalarTypes } from './scalar-values.ts';

/**
 * The internal GraphQL schema, for the console and automation. One file per type, with its queries and mutations; rules
 * are in `src/`. Every query and mutation names the right that it needs, and every mutation answers with its result or a
 * `Refusal`.
 */
export interface SchemaTypes {
  Context: StaffCall;
  Scalars: ScalarTypes;
  Connection: Counted;
  DefaultFieldNullability: false;
}

/** Limits of one call: levels, fields (each alias counts), and fields times their rows. The console needs a tenth. */
const QUERY_LIMITS = { depth: 12, breadth: 300, complexity: 65_000 };

export const builder = new SchemaBuilder<SchemaTypes>({
  // errors first, so that it sees what the authorization refuses
  plugins: [ErrorsPlugin, ScopeAuthPlugin, RelayPlugin, DataloaderPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  errors: { defaultTypes: [DomainError], directResult: true },
  scopeAuth: { authScopes: () => ({}) },
  complexity: queryLimits(QUERY_LIMITS),
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
 * The authorization of a field: `authScopes: right('clients:write')`. A mutation that reads beyond its result needs the
 * right to read too.
 * @throws DomainError, as `requireRight` does
 */
export function right(name: RightName) {
  const check = async (_parent: unknown, _args: unknown, call: StaffCall, info: GraphQLResolveInfo) => {
    await authorizeCall(call, name, info.fieldName);
    if (readsBeyondResult(info)) await authorizeCall(call, 'console:read', info.fieldName);
    return true;
  };
  return Object.assign(check, { right: name });
}

/** The options of every mutation, `...mutation('keys:rotate')`: its right, and that it answers with refusals. */
export function mutation(name: RightName) {
  return { authScopes: right(name), errors: {} };
}

/** A GraphQL enum over a list of values: `sandbox-ready` is `SANDBOX_READY` there. */
export function enumOf<const Values extends readonly string[]>(name: string, values: Values, description?: string) {
  const members = Object.fromEntries(
    values.map((value) => [value.toUpperCase().replace(/\W/g, '_'), { value: value as Values[number] }]),
  );
  return builder.enumType(name, { values: members, ...(description !== undefined && { description }) });
}

builder.globalConnectionField('totalCount', (t) => t.int(CONNECTION_COUNTS.totalCount));
builder.globalConnectionField('hasMoreThanTotal', (t) => t.boolean(CONNECTION_COUNTS.hasMoreThanTotal));

builder.objectType(DomainError, {
  name: 'Refusal',
  description: 'Why a change was refused. Nothing was changed.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Stable, for programs: `stale_edit`, `conflict`, `forbidden`, …' }),
    message: t.exposeString('message', { description: 'For people: what is wrong and how to fix it.' }),
  }),
});
