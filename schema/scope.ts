import { SCOPE_TABLE } from '../src/partners/scope-table.ts';
import { ALL_SCOPES, actionsOf, isInUse, type Scope } from '../src/partners/scopes.ts';
import { builder, forBoth, right } from './builder.ts';

const ScopeType = builder.objectRef<Scope>('Scope').implement({
  description: 'What a client can ask a fan for.',
  fields: (t) =>
    forBoth({
      name: t.string({ resolve: (name) => name }),
      group: t.string({ description: 'Scopes are listed by group.', resolve: (name) => SCOPE_TABLE[name].group }),
      says: t.string({ description: 'What it is for.', resolve: (name) => SCOPE_TABLE[name].says }),
      isAction: t.boolean({
        description: 'Whether fans allow or refuse it on the consent page.',
        resolve: (name) => actionsOf([name]).length > 0,
      }),
      inUse: t.boolean({
        description: 'Whether an endpoint requires it today.',
        resolve: isInUse,
      }),
    }),
});

builder.queryFields((t) =>
  forBoth({
    scopes: t.field({
      type: [ScopeType],
      authScopes: right('console:read'),
      description: 'All scopes that a client can have.',
      resolve: () => [...ALL_SCOPES],
    }),
  }),
);
