import type { FilterQuery } from '@mikro-orm/core';
import { SIGNING_KEY_STATES, SigningKey } from '../src/entities/signing-key.ts';
import { JWKS_MAX_AGE } from '../src/keys/lifetimes.ts';
import { rotateKeys } from '../src/keys/rotate-keys.ts';
import { after } from '../src/platform/time.ts';
import { builder, enumOf, forBoth, forPartners, mutation, right } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf, isMember } from './context.ts';

const SigningKeyStateType = enumOf(
  'SigningKeyState',
  SIGNING_KEY_STATES,
  'Published and waiting, signing, published until its last token expires, or retired.',
);

/** The keys that partners see; a key of a single client signs only for its tests. */
const PUBLISHED: FilterQuery<SigningKey> = { state: { $in: ['next', 'current', 'retiring'] }, client: null };

/** Older keys are not listed. */
const NEWEST_KEYS = 100;

const SigningKeyType = builder.objectRef<SigningKey>('SigningKey').implement({
  description: 'A key with which tokens are signed (RS256), or will be soon.',
  fields: (t) => ({
    ...forBoth({
      kid: t.exposeID('kid', { description: 'RFC 7638 thumbprint.' }),
      publicJwk: t.expose('publicJwk', { type: 'JSON' }),
    }),
    ...forPartners({
      isCurrent: t.boolean({ description: 'Whether it signs now.', resolve: ({ state }) => state === 'current' }),
      publishedAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
    state: t.expose('state', { type: SigningKeyStateType }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    signsFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When a waiting key can start signing.',
      resolve: ({ state, createdAt }) => (state === 'next' ? after(createdAt, JWKS_MAX_AGE) : null),
    }),
    activatedAt: t.expose('activatedAt', { type: 'DateTime', nullable: true }),
    retiredAt: t.expose('retiredAt', { type: 'DateTime', nullable: true }),
    client: t.field({
      type: ClientType,
      nullable: true,
      description:
        'The sandbox client whose tokens alone it signs, for a failure that was armed; null: every client’s.',
      resolve: ({ client }) => client?.id ?? null,
    }),
  }),
});

builder.queryFields((t) =>
  forBoth({
    signingKeys: t.field({
      type: [SigningKeyType],
      authScopes: right('console:read'),
      description: 'Newest first.',
      resolve: (_, _args, call) =>
        call.context.em.find(SigningKey, isMember(call.viewer) ? PUBLISHED : {}, {
          orderBy: { createdAt: 'desc' },
          limit: NEWEST_KEYS,
        }),
    }),
  }),
);

const RotatedKeys = builder.objectRef<{ kid: string; signsFrom: Date }>('RotatedKeys').implement({
  fields: (t) => ({
    kid: t.exposeID('kid', { description: 'The next key.' }),
    signsFrom: t.expose('signsFrom', { type: 'DateTime', description: 'When it can start signing.' }),
  }),
});

builder.mutationFields((t) => ({
  rotateKeys: t.field({
    type: RotatedKeys,
    ...mutation('keys:rotate'),
    description: 'Publishes the next signing key unless one is already waiting. It starts signing 5 minutes later.',
    resolve: (_, _args, call) => rotateKeys(call.work(), callerOf(call)),
  }),
}));
