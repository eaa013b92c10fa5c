import type { EntityName } from '@mikro-orm/core';
import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import { DomainError } from '../../src/platform/errors.ts';
import { CONNECTION_COUNTS, type Counted } from '../connection-counts.ts';
import { given } from '../given.ts';
import { type Identified, rowsUnder } from '../load-rows.ts';
import { queryLimits } from '../query-limits.ts';
import { DATE_TIME, JSON_VALUE, type ScalarTypes } from '../scalar-values.ts';
import type { PartnerCall } from './context.ts';

/**
 * The GraphQL schema of the partner workspace: one file per subject, over the same functions of `src/` as the console's
 * schema. No type of the console's schema is in it. Who is not signed in gets no call at all, and every resolver names its
 * scope (`scope.ts`).
 */
export interface PartnerTypes {
  Context: PartnerCall;
  Scalars: ScalarTypes;
  Connection: Counted;
  DefaultFieldNullability: false;
}

/** Limits of one call: levels, fields (each alias counts), and fields times their rows. */
const LIMITS = { depth: 10, breadth: 300, complexity: 25_000 };

export const builder = new SchemaBuilder<PartnerTypes>({
  plugins: [ErrorsPlugin, RelayPlugin, DataloaderPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  errors: { defaultTypes: [DomainError], directResult: true },
  // its plugin is not used here, but the types are of the whole program
  scopeAuth: { authScopes: () => ({}) },
  complexity: queryLimits(LIMITS),
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
builder.scalarType('DateTime', DATE_TIME);
builder.scalarType('JSON', JSON_VALUE);

/** The options of every mutation: it answers with its result or a `Refusal`. */
export const CHANGE = { errors: {} };

/** A GraphQL enum over a list of values: `sandbox-ready` is `SANDBOX_READY` there. */
export function enumOf<const Values extends readonly string[]>(name: string, values: Values, description?: string) {
  const members = Object.fromEntries(
    values.map((value) => [value.toUpperCase().replace(/\W/g, '_'), { value: value as Values[number] }]),
  );
  return builder.enumType(name, { values: members, ...given({ description }) });
}

/** A type over an entity. Fields of this type give the entity or its id. */
export function entityType<Entity extends Identified>(name: string, entity: EntityName<Entity>) {
  return builder.loadableObjectRef<Entity, string>(name, {
    load: rowsUnder(entity),
    toKey: ({ id }) => id,
    cacheResolved: true,
  });
}

builder.globalConnectionField('totalCount', (t) => t.int(CONNECTION_COUNTS.totalCount));
builder.globalConnectionField('hasMoreThanTotal', (t) => t.boolean(CONNECTION_COUNTS.hasMoreThanTotal));

builder.objectType(DomainError, {
  name: 'Refusal',
  description: 'Why a change was refused. Nothing was changed.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Stable, for programs: `stale_edit`, `conflict`, `not_found`, …' }),
    message: t.exposeString('message', { description: 'For people: what is wrong and how to fix it.' }),
  }),
});
