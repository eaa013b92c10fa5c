import { Client } from '../src/entities/client.ts';
import { Partner } from '../src/entities/partner.ts';
import { editClient } from '../src/partners/client/edit-client.ts';
import {
  type ClientRegistration,
  lintRegistration,
  MAX_MARKETPLACES,
  MAX_REFRESH_RETRY_WINDOW,
  type RegistrationLint,
} from '../src/partners/client/lint-registration.ts';
import { registerClient } from '../src/partners/client/register-client.ts';
import { editOwnClient, registerOwnClient } from '../src/people/workspace/edit-own-client.ts';
import { rowUnder } from '../src/platform/database/row-under.ts';
import { builder, CHANGE, forBoth, forPartners, mutation, right } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf, isMember } from './context.ts';
import { ModeType } from './event.ts';
import { given } from './given.ts';
import { own, ownPartner, requireOwn } from './own.ts';

const WINDOW = `Seconds, 0 to ${MAX_REFRESH_RETRY_WINDOW}.`;

const MARKETPLACES = `Addresses (base58) of the marketplaces on which it lists tickets, up to ${MAX_MARKETPLACES}; none: on any, for which a production client is not approved.`;

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
    marketplaces: t.stringList({ description: MARKETPLACES }),
  }),
});

const ChangesInput = builder.inputType('ClientChanges', {
  description:
    'Omitted fields stay as they are, or as they are in the edit waiting for review. Once a production client is approved, only staff change its name and refresh retry window.',
  fields: (t) => ({
    name: t.string(),
    redirectUris: t.stringList(),
    scopes: t.stringList(),
    loopbackAnyPort: t.boolean(),
    refreshRetryWindow: t.int({ description: WINDOW }),
    privacyUrl: t.string(),
    marketplaces: t.stringList({ description: MARKETPLACES }),
  }),
});

const LintedType = builder.objectRef<RegistrationLint['scopes'][number]>('LintedEntry').implement({
  fields: (t) =>
    forBoth({
      value: t.exposeString('value'),
      fault: t.exposeString('fault', { nullable: true, description: 'Continues a sentence: `must have no fragment`.' }),
    }),
});

const fault = { nullable: true, description: 'What is wrong with the list as a whole.' } as const;

const LintType = builder.objectRef<RegistrationLint>('RegistrationLint').implement({
  description: 'What is wrong with a registration, field by field; null if nothing is.',
  fields: (t) =>
    forBoth({
      name: t.exposeString('name', { nullable: true }),
      redirectUris: t.expose('redirectUris', { type: [LintedType], description: 'In the order given.' }),
      redirectUrisFault: t.exposeString('redirectUrisFault', fault),
      scopes: t.expose('scopes', { type: [LintedType] }),
      scopesFault: t.exposeString('scopesFault', fault),
      loopbackAnyPort: t.exposeString('loopbackAnyPort', { nullable: true }),
      refreshRetryWindow: t.exposeString('refreshRetryWindow', { nullable: true }),
      privacyUrl: t.exposeString('privacyUrl', { nullable: true }),
      marketplaces: t.expose('marketplaces', { type: [LintedType] }),
      marketplacesFault: t.exposeString('marketplacesFault', fault),
      corsOrigins: t.exposeStringList('corsOrigins', {
        description: 'Origins of the valid redirect URIs, from which the client’s pages can call.',
      }),
    }),
});

builder.queryFields((t) =>
  forBoth({
    lintRegistration: t.field({
      type: LintType,
      authScopes: right('console:read'),
      description: 'Checks a registration without registering it, for a form.',
      args: { registration: t.arg({ type: RegistrationInput, required: true }) },
      resolve: (_, { registration }) => lintRegistration(registrationIn(registration)),
    }),
  }),
);

builder.mutationFields((t) => {
  const registration = t.arg({ type: RegistrationInput, required: true });
  return {
    registerClient: t.field({
      type: ClientType,
      ...mutation('clients:write'),
      description: 'A sandbox client can be used immediately; a production client starts as a draft.',
      args: { partnerId: t.arg.id({ required: true }), registration },
      resolve: async (_, { partnerId, registration: wish }, call) => {
        const context = call.work();
        const partner = await rowUnder(context.em, Partner, 'ptn', partnerId);
        const client = registerClient(context, partner, registrationIn(wish), callerOf(call));
        await context.em.flush();
        return client;
      },
    }),
    ...forPartners({
      registerClientForPartners: t.field({
        type: ClientType,
        ...CHANGE,
        description:
          'A sandbox client can be used immediately; a production client starts as a draft, for `submitClient`.',
        args: { registration },
        resolve: (_, { registration: wish }, call) =>
          registerOwnClient(call.work(), ownPartner(call), registrationIn(wish), callerOf(call)),
      }),
    }),
    ...forBoth({
      editClient: t.field({
        type: ClientType,
        ...mutation('clients:write'),
        description:
          'For an approved client, changes to redirect URIs, scopes, loopback option, privacy page and marketplaces wait for review, and the registration in force stays; other changes are for staff, and apply immediately. Refused with `stale_edit` if someone else has saved since.',
        args: {
          clientId: t.arg.id({ required: true }),
          version: t.arg.int({ required: true, description: 'The version that was edited.' }),
          changes: t.arg({ type: ChangesInput, required: true }),
          note: t.arg.string({
            description: 'For the reviewers, 1 to 1,000 characters; required if the edit opens a review.',
          }),
        },
        resolve: async (_, { clientId: id, version, changes, note }, call) => {
          const context = call.work();
          const clientId = await requireOwn(context, Client, 'client', id, own(call));
          const edit = { clientId, version, changes: given(changes), ...given({ note }) };
          return (isMember(call.viewer) ? editOwnClient : editClient)(context, edit, callerOf(call));
        },
      }),
    }),
  };
});

function registrationIn({
  name,
  mode,
  redirectUris,
  scopes,
  ...more
}: typeof RegistrationInput.$inferInput): ClientRegistration {
  return { name, mode, redirectUris, scopes, ...given(more) };
}
