import { editClient } from '../src/client/edit-client.ts';
import {
  type ClientRegistration,
  lintRegistration,
  MAX_REFRESH_RETRY_WINDOW,
  type RegistrationLint,
} from '../src/client/lint-registration.ts';
import { registerClient } from '../src/client/register-client.ts';
import { builder, given, mutation, right } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf } from './context.ts';
import { ModeType } from './event.ts';
import { requirePartner } from './partner.ts';

const WINDOW = `Seconds, 0 to ${MAX_REFRESH_RETRY_WINDOW}.`;

const RegistrationInput = builder.inputType('ClientRegistration', {
  fields: (t) => ({
    name: t.string({ required: true, description: '1 to 120 characters; fans see it.' }),
    mode: t.field({ type: ModeType, required: true }),
    redirectUris: t.stringList({ required: true }),
    scopes: t.stringList({ required: true }),
    loopbackAnyPort: t.boolean({ description: 'Off where left out.' }),
    refreshRetryWindow: t.int({ description: `${WINDOW} 0 where left out.` }),
  }),
});

const ChangesInput = builder.inputType('ClientChanges', {
  description: 'What is left out stays.',
  fields: (t) => ({
    name: t.string(),
    redirectUris: t.stringList(),
    scopes: t.stringList(),
    loopbackAnyPort: t.boolean(),
    refreshRetryWindow: t.int({ description: WINDOW }),
  }),
});

const LintedType = builder.objectRef<RegistrationLint['scopes'][number]>('LintedEntry').implement({
  fields: (t) => ({
    value: t.exposeString('value'),
    fault: t.exposeString('fault', { nullable: true, description: 'Continues a sentence: `must have no fragment`.' }),
  }),
});

const fault = { nullable: true, description: 'Of the list as a whole.' } as const;

const LintType = builder.objectRef<RegistrationLint>('RegistrationLint').implement({
  description: 'What is wrong with a registration, part by part; null where nothing is.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true }),
    redirectUris: t.expose('redirectUris', { type: [LintedType], description: 'In their order.' }),
    redirectUrisFault: t.exposeString('redirectUrisFault', fault),
    scopes: t.expose('scopes', { type: [LintedType] }),
    scopesFault: t.exposeString('scopesFault', fault),
    loopbackAnyPort: t.exposeString('loopbackAnyPort', { nullable: true }),
    refreshRetryWindow: t.exposeString('refreshRetryWindow', { nullable: true }),
    corsOrigins: t.exposeStringList('corsOrigins', {
      description: 'Origins from which the client’s pages may call, as far as the redirect URIs are good.',
    }),
  }),
});

builder.queryFields((t) => ({
  lintRegistration: t.field({
    type: LintType,
    authScopes: right('console:read'),
    description: 'Looks at a registration as it is typed. Nothing is registered.',
    args: { registration: t.arg({ type: RegistrationInput, required: true }) },
    resolve: (_, { registration }) => lintRegistration(registrationIn(registration)),
  }),
}));

builder.mutationFields((t) => ({
  registerClient: t.field({
    type: ClientType,
    ...mutation('clients:write'),
    description: 'In sandbox it is ready at once; in production it begins as a draft.',
    args: {
      partnerId: t.arg.id({ required: true }),
      registration: t.arg({ type: RegistrationInput, required: true }),
    },
    resolve: async (_, { partnerId, registration }, call) => {
      const context = call.work();
      const partner = await requirePartner(context, partnerId);
      const client = registerClient(context, partner, registrationIn(registration), callerOf(call));
      await context.em.flush();
      return client;
    },
  }),
  editClient: t.field({
    type: ClientType,
    ...mutation('clients:write'),
    description:
      'Refused with `stale_edit` where somebody else saved meanwhile, and with `confirmation_required` where it takes an approved client back to review.',
    args: {
      clientId: t.arg.id({ required: true }),
      version: t.arg.int({ required: true, description: 'The version that was edited.' }),
      changes: t.arg({ type: ChangesInput, required: true }),
      confirmReview: t.arg.boolean({
        description: 'Confirms that the client goes back to review, and that nobody can use it meanwhile.',
      }),
    },
    resolve: (_, { clientId, version, changes, confirmReview }, call) =>
      editClient(
        call.work(),
        { clientId, version, changes: given(changes), confirmReview: confirmReview === true },
        callerOf(call),
      ),
  }),
}));

function registrationIn({
  name,
  mode,
  redirectUris,
  scopes,
  ...more
}: typeof RegistrationInput.$inferInput): ClientRegistration {
  return { name, mode, redirectUris, scopes, ...given(more) };
}
