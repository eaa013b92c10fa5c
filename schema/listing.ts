import { LISTING_OUTCOMES, Listing, type ListingSignature } from '../src/entities/listing.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { builder, enumOf, forBoth, forPartners, right } from './builder.ts';
import { GrantType } from './grant.ts';
import { pageOf } from './lists.ts';
import { entityType, queryById } from './loaders.ts';
import { PermitType } from './permit.ts';
import { AgeSort } from './sorts.ts';

const ListingOutcomeType = enumOf('ListingOutcome', LISTING_OUTCOMES);

export const ListingType = entityType('Listing', Listing);

ListingType.implement({
  description: 'A ticket for sale, as read from the chain.',
  fields: (t) => ({
    ...forBoth({
      id: t.exposeID('id'),
      marketplace: t.exposeString('marketplace', { description: 'Base58.' }),
      openedAt: t.expose('openedAt', { type: 'DateTime' }),
      closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
      outcome: t.expose('outcome', { type: ListingOutcomeType, nullable: true, description: 'Null while it is open.' }),
    }),
    ...forPartners({
      priceForPartners: t.string({ description: 'Lamports.', resolve: ({ price }) => String(price) }),
    }),
    permit: t.field({ type: PermitType, resolve: (listing) => listing.permit.id }),
    price: t.expose('price', { type: 'BigInt', description: 'Lamports.' }),
  }),
});

const ListingActionType = enumOf('ListingAction', ['list', 'cancel'] as const);

export const ListingSignatureType = builder.objectRef<ListingSignature>('ListingSignature').implement({
  description: 'A listing transaction that was co-signed.',
  fields: (t) => ({
    messageHash: t.exposeID('messageHash', { description: 'SHA-256 of the message, base64url.' }),
    action: t.expose('action', { type: ListingActionType }),
    sentence: t.exposeString('sentence', { description: 'What was signed, in plain English.' }),
    signedAt: t.expose('signedAt', { type: 'DateTime' }),
    permit: t.field({ type: PermitType, resolve: (signature) => signature.permit.id }),
    grant: t.field({ type: GrantType, resolve: (signature) => signature.grant.id }),
  }),
});

queryById('listing', ListingType, Listing, 'lst');

builder.queryFields((t) => ({
  listings: t.connection({
    type: ListingType,
    authScopes: right('console:read'),
    args: {
      permitId: t.arg.id(),
      partnerId: t.arg.id({ description: 'Of permits created for this partner.' }),
      open: t.arg.boolean({ description: 'Whether they are for sale now; both if omitted.' }),
      outcome: t.arg({ type: ListingOutcomeType }),
      marketplace: t.arg.string({ description: 'Full value, base58.' }),
      sort: t.arg({ type: AgeSort }),
    },
    resolve: (_, { permitId, partnerId, open, outcome, marketplace, ...page }, { context }) =>
      pageOf(context, Listing, page, [
        permitId && { permit: knownId('perm', permitId) },
        partnerId && { permit: { partner: knownId('ptn', partnerId) } },
        open != null && { closedAt: open ? null : { $ne: null } },
        outcome && { outcome },
        marketplace && { marketplace: marketplace.replaceAll('\0', '') },
      ]),
  }),
}));
