import { AuthorizationSession, SESSION_STEPS } from '../src/entities/authorization-session.ts';
import { Claim } from '../src/entities/claim.ts';
import { ConsentGrant } from '../src/entities/consent-grant.ts';
import { Fan } from '../src/entities/fan.ts';
import { KillSwitch } from '../src/entities/kill-switch.ts';
import { Listing, ListingSignature } from '../src/entities/listing.ts';
import { Permit } from '../src/entities/permit.ts';
import { PhoneChallenge } from '../src/entities/phone-challenge.ts';
import { TestUser } from '../src/entities/test-user.ts';
import { Ticket } from '../src/entities/ticket.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { uuidOf } from '../src/platform/identifier/type-id.ts';
import { maskPhone } from '../src/platform/phone-number.ts';
import { endAllAccess, signOutFan } from '../src/sign-in/fan/end-access.ts';
import { findFans } from '../src/sign-in/fan/find-fans.ts';
import { revealPhone } from '../src/sign-in/fan/reveal-phone.ts';
import { builder, enumOf, mutation, right } from './builder.ts';
import { ClaimType } from './claim.ts';
import { ClientType } from './client.ts';
import { type Call, callerOf } from './context.ts';
import { ModeType } from './event.ts';
import { GrantType } from './grant.ts';
import { KillSwitchType } from './kill-switch.ts';
import { ListingSignatureType, ListingType } from './listing.ts';
import { pageOf } from './lists.ts';
import { entityType, queryById, rowBy } from './loaders.ts';
import { TestUserType, WALLET_ADDRESS } from './test-user.ts';
import { TicketNode } from './ticket.ts';

export const FanType = entityType('Fan', Fan);

/** Signatures that one fan's page shows. */
const NEWEST_SIGNATURES = 100;

FanType.implement({
  description: 'A person who holds tickets. A number used in both sandbox and production belongs to two fans.',
  fields: (t) => ({
    id: t.exposeID('id'),
    mode: t.expose('mode', { type: ModeType }),
    phone: t.string({
      description: 'Masked; `revealPhone` returns the full number. "No number" while the one before is another fan’s.',
      resolve: ({ phone }) => (phone ? maskPhone(phone) : 'No number'),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    walletAddress: t.loadable({
      ...WALLET_ADDRESS,
      description: 'The custodial wallet, base58.',
      resolve: (fan) => fan.id,
    }),
    testUser: t.loadable({ type: TestUserType, ...rowBy(TestUser, 'fan') }),
    killSwitch: t.loadable({
      type: KillSwitchType,
      description: 'The kill switch that stops the fan.',
      ...rowBy(KillSwitch, 'fan'),
    }),
    tickets: t.connection({
      type: TicketNode,
      resolve: (fan, page, { context }) => pageOf(context, Ticket, page, [{ owner: fan.id }]),
    }),
    grants: t.connection({
      type: GrantType,
      resolve: (fan, page, { context }) => pageOf(context, ConsentGrant, page, [{ fan: fan.id }]),
    }),
    sessions: t.connection({
      type: LoginSessionType,
      description: 'Sign-ins in which the fan entered a phone number.',
      resolve: (fan, page, { context }) => pageOf(context, AuthorizationSession, page, [{ fan: fan.id }]),
    }),
    claims: t.connection({
      type: ClaimType,
      resolve: (fan, page, { context }) => pageOf(context, Claim, page, [{ grant: { fan: fan.id } }]),
    }),
    listings: t.connection({
      type: ListingType,
      description: 'Listings of tickets that the fan holds or listed.',
      resolve: async (fan, page, { context }) => {
        // looked up first: a join would go through every listing
        const signed = await context.em.find(ListingSignature, { grant: { fan: fan.id } }, { fields: ['permit'] });
        const held = await context.em.find(Permit, { ticket: { owner: fan.id } }, { fields: ['id'] });
        const permits = new Set([...signed.map(({ permit }) => permit.id), ...held.map(({ id }) => id)]);
        return pageOf(context, Listing, page, [{ permit: { $in: [...permits] } }]);
      },
    }),
    listingSignatures: t.field({
      type: [ListingSignatureType],
      description: 'What was co-signed for the fan: the newest 100, newest first.',
      resolve: (fan, _, { context }) =>
        context.em.find(
          ListingSignature,
          { grant: { fan: fan.id } },
          { orderBy: { signedAt: 'desc' }, limit: NEWEST_SIGNATURES },
        ),
    }),
  }),
});

queryById('fan', FanType, Fan, 'usr');

builder.queryFields((t) => ({
  findFans: t.field({
    type: [FanType],
    authScopes: right('console:read'),
    description: 'The fans with a phone number, in both modes.',
    args: { phone: t.arg.string({ required: true, description: 'In any format.' }) },
    resolve: (_, { phone }, { context }) => findFans(context, phone),
  }),
}));

const RevealedPhone = builder.objectRef<{ fanId: string; phone: string }>('RevealedPhone').implement({
  fields: (t) => ({
    phone: t.exposeString('phone', { description: 'E.164.' }),
    fan: t.field({ type: FanType, resolve: ({ fanId }) => fanId }),
  }),
});

builder.mutationFields((t) => ({
  revealPhone: t.field({
    type: RevealedPhone,
    ...mutation('fans:reveal'),
    description: 'Returns a fan’s full phone number. The caller and the reason are added to the audit log.',
    args: {
      fanId: t.arg.id({ required: true }),
      reason: t.arg.string({ required: true }),
      bulkReason: t.arg.string({ description: 'Why so many: from the 21st number within five minutes on.' }),
    },
    resolve: async (_, request, call) => ({
      fanId: request.fanId,
      phone: await revealPhone(call.work(), request, callerOf(call)),
    }),
  }),
}));

builder.mutationFields((t) => {
  const args = {
    fanId: t.arg.id({ required: true }),
    reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }),
  };
  return {
    endAllAccess: t.field({
      type: FanType,
      ...mutation('grants:revoke'),
      description: 'Ends every grant of a fan: no app has access any more. A repeated call changes nothing.',
      args: {
        ...args,
        keepsSales: t.arg.boolean({
          required: true,
          defaultValue: false,
          description: 'Whether what apps put on sale stays on sale.',
        }),
      },
      resolve: (_, request, call) => endAllAccess(call.work(), request, callerOf(call)),
    }),
    signOutFan: t.field({
      type: FanType,
      ...mutation('grants:revoke'),
      description: 'Ends a fan’s visits to the portal and sign-ins under way. Apps keep their access.',
      args,
      resolve: (_, request, call) => signOutFan(call.work(), request, callerOf(call)),
    }),
  };
});

const LoginStepType = enumOf('LoginStep', SESSION_STEPS);

/** The counters are stored with the number under verification. */
const countOfChallenge = (count: 'wrongTries' | 'codesSent') => ({
  type: 'Int' as const,
  load: async (ids: string[], { context }: Pick<Call, 'context'>) => {
    const owners = ids.map((id) => uuidOf('sess', knownId('sess', id)));
    const found = await context.em.find(PhoneChallenge, { purpose: 'login', owner: { $in: owners } });
    const counts = new Map<string, number>(found.map((challenge) => [challenge.owner, challenge[count]]));
    return owners.map((owner) => counts.get(owner) ?? 0);
  },
  resolve: ({ id }: AuthorizationSession) => id as string,
});

const LoginSessionType = builder.objectRef<AuthorizationSession>('LoginSession').implement({
  description: 'One sign-in attempt. Kept for a short time after it ends.',
  fields: (t) => ({
    id: t.exposeID('id'),
    client: t.field({ type: ClientType, resolve: (session) => session.client.id }),
    step: t.expose('step', { type: LoginStepType, description: 'The last step that the fan reached.' }),
    scope: t.exposeString('scope'),
    redirectUri: t.exposeString('redirectUri'),
    wrongTries: t.loadable({ description: 'Wrong codes.', ...countOfChallenge('wrongTries') }),
    codesSent: t.loadable(countOfChallenge('codesSent')),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    authenticatedAt: t.expose('authenticatedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
});
