import { Client } from '../../src/entities/client.ts';
import {
  lintRegistration,
  MAX_REFRESH_RETRY_WINDOW,
  type RegistrationLint,
} from '../../src/partners/client/lint-registration.ts';
import { takeClientStep } from '../../src/partners/client/take-step.ts';
import { actionsOf, isInUse, SCOPE_TEXTS, type Scope } from '../../src/partners/scopes.ts';
import { editOwnClient } from '../../src/people/workspace/edit-own-client.ts';
import { registerOwnClient } from '../../src/people/workspace/register-own-client.ts';
import { given } from '../given.ts';
import { builder, CHANGE } from './builder.ts';
import { ClientType, ModeType } from './client.ts';
import { actorIn } from './context.ts';
import { own, requireOwn } from './scope.ts';

const WINDOW = `Seconds, 0 to ${MAX_REFRESH_RETRY_WINDOW}.`;

const RegistrationInput = builder.inputType('ClientRegistration', {
  fields: (t) => ({
    name: t.string({ required: true, description: '1 to 120 characters; fans see it.' }),
    mode: t.field({ type: ModeType, required: true }),
    redirectUris: t.stringList({ required: true }),
    scopes: t.stringList({ required: true }),
    loopbackAnyPort: t.boolean({ description: 'Off by default.' }),
    refreshRetryWindow: t.int({ description: `${WINDOW} 0 by default.` }),
    privacyUrl: t.string({
      description: 'Of the company’s privacy page, which fans see when they consent; empty for none.',
    }),
  }),
});

const ChangesInput = builder.inputType('ClientChanges', {
  description:
    'Omitted fields stay as they are, or as they are in the edit waiting for review. Name and refresh retry window can be changed until a production client is approved; then ask staff.',
  fields: (t) => ({
    name: t.string(),
    redirectUris: t.stringList(),
    scopes: t.stringList(),
    loopbackAnyPort: t.boolean(),
    refreshRetryWindow: t.int({ description: WINDOW }),
    privacyUrl: t.string(),
  }),
});

const LintedType = builder.objectRef<RegistrationLint['scopes'][number]>('LintedEntry').implement({
  fields: (t) => ({
    value: t.exposeString('value'),
    fault: t.exposeString('fault', { nullable: true, description: 'Continues a sentence: `must have no fragment`.' }),
  }),
});

const fault = { nullable: true, description: 'What is wrong with the list as a whole.' } as const;

const LintType = builder.objectRef<RegistrationLint>('RegistrationLint').implement({
  description: 'What is wrong with a registration, field by field; null if nothing is.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true }),
    redirectUris: t.expose('redirectUris', { type: [LintedType], description: 'In the order given.' }),
    redirectUrisFault: t.exposeString('redirectUrisFault', fault),
    scopes: t.expose('scopes', { type: [LintedType] }),
    scopesFault: t.exposeString('scopesFault', fault),
    loopbackAnyPort: t.exposeString('loopbackAnyPort', { nullable: true }),
    refreshRetryWindow: t.exposeString('refreshRetryWindow', { nullable: true }),
    privacyUrl: t.exposeString('privacyUrl', { nullable: true }),
    corsOrigins: t.exposeStringList('corsOrigins', {
      description: 'Origins of the valid redirect URIs, from which the client’s pages can call.',
    }),
  }),
});

const ScopeType = builder.objectRef<Scope>('Scope').implement({
  description: 'What a client can ask a fan for.',
  fields: (t) => ({
    name: t.string({ resolve: (name) => name }),
    group: t.string({ description: 'Scopes are listed by group.', resolve: (name) => SCOPE_TEXTS[name].group }),
    says: t.string({ description: 'What it is for.', resolve: (name) => SCOPE_TEXTS[name].says }),
    isAction: t.boolean({
      description: 'Whether fans allow or refuse it on the consent page.',
      resolve: (name) => actionsOf([name]).length > 0,
    }),
    inUse: t.boolean({ description: 'Whether an endpoint requires it today.', resolve: isInUse }),
  }),
});

builder.queryFields((t) => ({
  lintRegistration: t.field({
    type: LintType,
    description: 'Checks a registration without registering it, for a form.',
    args: { registration: t.arg({ type: RegistrationInput, required: true }) },
    resolve: (_, { registration }) => lintRegistration(registrationIn(registration)),
  }),
  scopes: t.field({
    type: [ScopeType],
    description: 'All scopes that a client can have.',
    resolve: () => Object.keys(SCOPE_TEXTS) as Scope[],
  }),
}));

builder.mutationFields((t) => {
  const clientId = t.arg.id({ required: true });
  return {
    registerClient: t.field({
      type: ClientType,
      ...CHANGE,
      description:
        'A sandbox client can be used immediately; a production client starts as a draft, for `submitClient`.',
      args: { registration: t.arg({ type: RegistrationInput, required: true }) },
      resolve: (_, { registration }, call) =>
        registerOwnClient(call.work(), own(call).partner, registrationIn(registration), actorIn(call)),
    }),
    editClient: t.field({
      type: ClientType,
      ...CHANGE,
      description:
        'For an approved client, changes to redirect URIs, scopes, loopback option and privacy page wait for review by staff, and the registration in force stays. Refused with `stale_edit` if someone else has saved since.',
      args: {
        clientId,
        version: t.arg.int({ required: true, description: 'The version that was edited.' }),
        changes: t.arg({ type: ChangesInput, required: true }),
        note: t.arg.string({
          description: 'For the reviewers, 1 to 1,000 characters; required if the edit opens a review.',
        }),
      },
      resolve: async (_, { clientId: id, version, changes, note }, call) => {
        const context = call.work();
        const owned = await requireOwn(context, Client, 'client', id, own(call));
        const edit = { clientId: owned, version, changes: given(changes), ...given({ note }) };
        return editOwnClient(context, edit, actorIn(call));
      },
    }),
    submitClient: t.field({
      type: ClientType,
      ...CHANGE,
      description: 'Submits a draft or rejected production client to staff for review.',
      args: { clientId, note: t.arg.string({ required: true, description: '1 to 1,000 characters.' }) },
      resolve: async (_, { clientId: id, note: reason }, call) => {
        const context = call.work();
        const submitted = await requireOwn(context, Client, 'client', id, own(call));
        return takeClientStep(context, 'submit', { clientId: submitted, reason }, actorIn(call));
      },
    }),
    withdrawReview: t.field({
      type: ClientType,
      ...CHANGE,
      description:
        'Withdraws the open review. A client in review becomes a draft again; an approved client keeps its registration in force.',
      args: { clientId, reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }) },
      resolve: async (_, { clientId: id, reason }, call) => {
        const context = call.work();
        const withdrawn = await requireOwn(context, Client, 'client', id, own(call));
        return takeClientStep(context, 'withdraw', { clientId: withdrawn, reason }, actorIn(call));
      },
    }),
  };
});

function registrationIn({ name, mode, redirectUris, scopes, ...more }: typeof RegistrationInput.$inferInput) {
  return { name, mode, redirectUris, scopes, ...given(more) };
}
