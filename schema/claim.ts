import { CLAIM_STATES, Claim } from '../src/entities/claim.ts';
import { knownId } from '../src/identifier/known-id.ts';
import { builder, enumOf, right } from './builder.ts';
import { GrantType } from './grant.ts';
import { pageOf } from './keyset.ts';
import { rowsById } from './load-rows.ts';
import { PermitType } from './permit.ts';

const ClaimStateType = enumOf('ClaimState', CLAIM_STATES);

export const ClaimType = builder.loadableObjectRef<Claim, string>('Claim', {
  load: (ids, { context }) => rowsById(context, Claim, ids),
  toKey: (claim) => claim.id,
  cacheResolved: true,
});

ClaimType.implement({
  description: 'The claim of a ticket by a signed transfer.',
  fields: (t) => ({
    id: t.exposeID('id'),
    signature: t.exposeString('signature', { description: 'The `transfer_id` of the Fan API, base58.' }),
    grant: t.field({ type: GrantType, resolve: (claim) => claim.grant.id }),
    permit: t.field({ type: PermitType, resolve: (claim) => claim.permit.id }),
    signerWallet: t.exposeString('signerWallet'),
    destinationWallet: t.exposeString('destinationWallet'),
    state: t.expose('state', { type: ClaimStateType }),
    failure: t.exposeString('failure', { nullable: true, description: 'Why it failed.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

builder.queryFields((t) => ({
  claim: t.field({
    type: ClaimType,
    nullable: true,
    authScopes: right('console:read'),
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { context }) => context.em.findOne(Claim, { id: knownId('clm', id) }),
  }),
  claims: t.connection({
    type: ClaimType,
    authScopes: right('console:read'),
    args: {
      state: t.arg({ type: ClaimStateType }),
      clientId: t.arg.id(),
      fanId: t.arg.id(),
      grantId: t.arg.id(),
      permitId: t.arg.id(),
      signature: t.arg.string({ description: 'Base58, whole.' }),
    },
    resolve: (_, { state, clientId, fanId, grantId, permitId, signature, ...page }, { context }) =>
      pageOf(
        context,
        Claim,
        {
          $and: [
            ...(state ? [{ state }] : []),
            ...(clientId ? [{ grant: { client: knownId('client', clientId) } }] : []),
            ...(fanId ? [{ grant: { fan: knownId('usr', fanId) } }] : []),
            ...(grantId ? [{ grant: knownId('grant', grantId) }] : []),
            ...(permitId ? [{ permit: knownId('perm', permitId) }] : []),
            ...(signature ? [{ signature: signature.replaceAll('\0', '') }] : []),
          ],
        },
        page,
      ),
  }),
}));
