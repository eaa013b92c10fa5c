import { actionsOf, SCOPE_TEXTS, type Scope } from '../src/oauth/scopes.ts';
import { builder, right } from './builder.ts';

const ScopeType = builder.objectRef<Scope>('Scope').implement({
  description: 'Something that a client may ask a fan for.',
  fields: (t) => ({
    name: t.string({ resolve: (name) => name }),
    group: t.string({ description: 'Scopes of one group stand together.', resolve: (name) => SCOPE_TEXTS[name].group }),
    says: t.string({ description: 'What it is for.', resolve: (name) => SCOPE_TEXTS[name].says }),
    isAction: t.boolean({
      description: 'Whether fans allow or refuse it on the consent page.',
      resolve: (name) => actionsOf([name]).length > 0,
    }),
  }),
});

builder.queryFields((t) => ({
  scopes: t.field({
    type: [ScopeType],
    authScopes: right('console:read'),
    description: 'Every scope that a client can be registered with.',
    resolve: () => Object.keys(SCOPE_TEXTS) as Scope[],
  }),
}));
