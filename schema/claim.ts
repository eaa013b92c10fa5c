import type { FilterQuery } from '@mikro-orm/core';
import { CLAIM_STATES, Claim } from '../src/entities/claim.ts';
import { knownId } from '../src/identifier/known-id.ts';
import { builder, enumOf, right } from './builder.ts';
import { GrantType } from './grant.ts';
import { pageOf } from './lists.ts';
import { entityType, queryById } from './loaders.ts';
import { PermitType } from './permit.ts';
import { AgeSort } from './sorts.ts';

const ClaimStateType = enumOf('ClaimState', CLAIM_STATES);
/** Only open claims are set aside; with the states in the condition the index is used. */
const SET_ASIDE: FilterQuery<Claim> = { state: { $in: ['pending', 'submitted'] }, setAside: { $ne: null } };

export const ClaimType = entityType('Claim', Claim);

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
    setAside: t.exposeString('setAside', {
      nullable: true,
      description:
        'Why the last attempt to settle it failed. The claim is still open and will be retried. Null without a problem.',
    }),
    attempts: t.exposeInt('attempts', {
      description: 'Failed attempts to settle an open claim; for a failed claim, checks whether it landed after all.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the job checks it next; null if it does not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

queryById('claim', ClaimType, Claim, 'clm');

builder.queryFields((t) => ({
  claims: t.connection({
    type: ClaimType,
    authScopes: right('console:read'),
    args: {
      state: t.arg({ type: ClaimStateType }),
      setAside: t.arg.boolean({
        description: 'Only claims whose last attempt to settle failed, or only others.',
      }),
      clientId: t.arg.id(),
      fanId: t.arg.id(),
      grantId: t.arg.id(),
      permitId: t.arg.id(),
      signature: t.arg.string({ description: 'Full value, base58.' }),
      sort: t.arg({ type: AgeSort }),
    },
    resolve: (_, { state, setAside, clientId, fanId, grantId, permitId, signature, sort, ...page }, { context }) =>
      pageOf(
        context,
        Claim,
        page,
        [
          state && { state },
          setAside != null && (setAside ? SET_ASIDE : { setAside: null }),
          clientId && { grant: { client: knownId('client', clientId) } },
          fanId && { grant: { fan: knownId('usr', fanId) } },
          grantId && { grant: knownId('grant', grantId) },
          permitId && { permit: knownId('perm', permitId) },
          signature && { signature: signature.replaceAll('\0', '') },
        ],
        { sort },
      ),
  }),
}));
