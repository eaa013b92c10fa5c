import type { FilterQuery } from '@mikro-orm/core';
import { CLAIM_STATES, Claim } from '../src/entities/claim.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { after } from '../src/platform/time.ts';
import { isOpen } from '../src/tickets/claim/stored-claim.ts';
import { builder, enumOf, right } from './builder.ts';
import { GrantType } from './grant.ts';
import { pageOf } from './lists.ts';
import { entityType, queryById } from './loaders.ts';
import { PermitType } from './permit.ts';
import { AgeSort } from './sorts.ts';

export const ClaimStateType = enumOf('ClaimState', CLAIM_STATES);
/** Seconds after which an open claim is stuck: a blockhash is valid for one or two minutes, and then the claim fails. */
const STUCK_AFTER = 5 * 60;

/** The condition lists the states so that PostgreSQL uses the index of open claims. */
const stuckAt = (now: Date): FilterQuery<Claim> => ({
  state: { $in: ['pending', 'submitted'] },
  $or: [{ setAside: { $ne: null } }, { updatedAt: { $lt: after(now, -STUCK_AFTER) } }],
});

function isStuck(claim: Claim, now: Date): boolean {
  const { setAside, updatedAt } = claim;
  return isOpen(claim) && (setAside !== null || updatedAt < after(now, -STUCK_AFTER));
}

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
    stuck: t.boolean({
      description: 'Whether it is open, and its last attempt to settle failed or it is older than five minutes.',
      resolve: (claim, _args, { context }) => isStuck(claim, context.now()),
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
      stuck: t.arg.boolean({
        description:
          'Only open claims whose last attempt to settle failed or that are older than five minutes; or only others.',
      }),
      clientId: t.arg.id(),
      fanId: t.arg.id(),
      grantId: t.arg.id(),
      permitId: t.arg.id(),
      signature: t.arg.string({ description: 'Full value, base58.' }),
      sort: t.arg({ type: AgeSort }),
    },
    resolve: (_, { state, stuck, clientId, fanId, grantId, permitId, signature, ...page }, { context }) =>
      pageOf(context, Claim, page, [
        state && { state },
        stuck != null && (stuck ? stuckAt(context.now()) : { $not: stuckAt(context.now()) }),
        clientId && { grant: { client: knownId('client', clientId) } },
        fanId && { grant: { fan: knownId('usr', fanId) } },
        grantId && { grant: knownId('grant', grantId) },
        permitId && { permit: knownId('perm', permitId) },
        signature && { signature: signature.replaceAll('\0', '') },
      ]),
  }),
}));
