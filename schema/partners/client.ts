import { CLAIM_STATES, Claim } from '../../src/entities/claim.ts';
import {
  CLIENT_STATUSES,
  Client,
  ClientReview,
  REVIEW_DECISIONS,
  type ReviewedRegistration,
} from '../../src/entities/client.ts';
import { ConsentGrant } from '../../src/entities/consent-grant.ts';
import { KillSwitch } from '../../src/entities/kill-switch.ts';
import { changesInForce } from '../../src/partners/client/approvals.ts';
import { frozenOf, type RegistrationChange } from '../../src/partners/client/describe-changes.ts';
import { memberIn } from '../../src/partners/person.ts';
import { type GoLiveStep, stepsToGoLive } from '../../src/people/workspace/go-live.ts';
import { SUBMITTERS, submitterOf } from '../../src/people/workspace/review-authors.ts';
import { knownId } from '../../src/platform/identifier/known-id.ts';
import { MODES } from '../../src/platform/mode.ts';
import { pageOf } from '../lists.ts';
import { countBy, rowBy, rowsBy } from '../load-rows.ts';
import { builder, entityType, enumOf } from './builder.ts';
import { own } from './scope.ts';

export const ModeType = enumOf('Mode', MODES, 'Sandbox data lives on a test network; production data is real.');

const ClientStatusType = enumOf(
  'ClientStatus',
  CLIENT_STATUSES,
  'Sandbox: SANDBOX_READY. Production: DRAFT, IN_REVIEW, APPROVED, ENABLED, SUSPENDED, or REJECTED.',
);
const DecisionType = enumOf('ReviewDecision', REVIEW_DECISIONS);
const SubmitterType = enumOf('ReviewSubmitter', SUBMITTERS, 'A person of the partner, or staff.');

const RegistrationType = builder.objectRef<ReviewedRegistration>('Registration').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    redirectUris: t.exposeStringList('redirectUris'),
    scopes: t.exposeStringList('scopes'),
    loopbackAnyPort: t.exposeBoolean('loopbackAnyPort'),
    refreshRetryWindow: t.exposeInt('refreshRetryWindow'),
    privacyUrl: t.string({ resolve: (registration) => frozenOf(registration).privacyUrl }),
  }),
});

const ChangeType = builder.objectRef<RegistrationChange>('RegistrationChange').implement({
  description: 'A field of a registration that differs from the one in force.',
  fields: (t) => ({
    field: t.exposeString('field'),
    before: t.expose('before', { type: 'JSON' }),
    after: t.expose('after', { type: 'JSON' }),
    added: t.exposeStringList('added', { description: 'Of a list: entries that only `after` has.' }),
    removed: t.exposeStringList('removed', { description: 'Of a list: entries that only `before` has.' }),
  }),
});

const ReviewType = builder.objectRef<ClientReview>('ClientReview').implement({
  description:
    'A review of a production client by staff: of its first registration, or of an edit beside the one in force.',
  fields: (t) => ({
    id: t.exposeID('id'),
    submittedAt: t.expose('submittedAt', { type: 'DateTime' }),
    submittedBy: t.field({ type: SubmitterType, resolve: submitterOf }),
    note: t.string({
      nullable: true,
      description: 'What the reviewers should know, as the partner wrote it; null where staff submitted it.',
      resolve: (review) => (memberIn(review.submittedBy) === undefined ? null : review.note),
    }),
    registration: t.expose('registration', {
      type: RegistrationType,
      description: 'As submitted, with later edits: what the decision is about.',
    }),
    changes: t.loadableList({
      type: ChangeType,
      nullable: true,
      description:
        'What approving it would change in the registration in force; null where nothing is in force, or it was decided.',
      load: async (reviews: ClientReview[], call) => {
        const ids = [...new Set(reviews.map(({ client }) => client.id))];
        const clients = await call.context.em.find(Client, { id: { $in: ids } });
        const byId = new Map(clients.map((client) => [client.id, client]));
        return reviews.map((review) => {
          const client = byId.get(review.client.id);
          return client && review.decision === null ? changesInForce(client, review) : null;
        });
      },
      resolve: (review) => review,
    }),
    decision: t.expose('decision', { type: DecisionType, nullable: true, description: 'Null while it is open.' }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true }),
    reason: t.string({
      nullable: true,
      description: 'Why it was rejected or withdrawn.',
      resolve: ({ decision, reason }) =>
        decision === 'rejected' || decision === 'withdrawn' ? (reason ?? null) : null,
    }),
  }),
});

const GoLiveStepType = builder.objectRef<GoLiveStep>('GoLiveStep').implement({
  description: 'A step on the way to production.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Stable: `registered`, `submitted`, `approved`, `enabled`.' }),
    says: t.exposeString('says', { description: 'What happens in it, and who does it.' }),
    done: t.exposeBoolean('done'),
    isNext: t.exposeBoolean('isNext'),
    isYours: t.exposeBoolean('isYours', { description: 'Whether a person of the partner takes it, and not staff.' }),
  }),
});

const ClaimCountType = builder
  .objectRef<{ state: (typeof CLAIM_STATES)[number]; count: number }>('ClaimCount')
  .implement({
    fields: (t) => ({
      state: t.expose('state', { type: enumOf('ClaimState', CLAIM_STATES) }),
      count: t.exposeInt('count'),
    }),
  });

export const ClientType = entityType('Client', Client);

ClientType.implement({
  description: 'An OAuth client: public, without a secret, in a mode that never changes.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The `client_id`.' }),
    name: t.exposeString('name', { description: 'Fans see it.' }),
    mode: t.expose('mode', { type: ModeType }),
    status: t.expose('status', { type: ClientStatusType }),
    redirectUris: t.exposeStringList('redirectUris', {
      description: 'Once the client is approved: those in force; `openReview` has those that wait.',
    }),
    scopes: t.exposeStringList('scopes'),
    corsOrigins: t.exposeStringList('corsOrigins', { description: 'Origins from which its pages can call.' }),
    loopbackAnyPort: t.exposeBoolean('loopbackAnyPort', {
      description: 'Redirect URIs on 127.0.0.1 and [::1] match with any port (RFC 8252 §7.3).',
    }),
    refreshRetryWindow: t.exposeInt('refreshRetryWindow', {
      description: 'Seconds in which a used refresh token is accepted a second time.',
    }),
    privacyUrl: t.exposeString('privacyUrl', {
      description: 'Of the company’s privacy page, which fans see when they consent; empty for none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version', { description: 'Increases with every change; edits name the one that they saw.' }),
    isStopped: t.loadable({
      type: 'Boolean',
      description: 'Whether staff have stopped the client, whatever its status.',
      load: async (ids: string[], call) => {
        const stopped = await rowBy(KillSwitch, 'client').load(ids, call);
        return stopped.map((found) => found !== undefined);
      },
      resolve: ({ id }) => id,
    }),
    grantCount: t.loadable({
      description: 'Grants of fans that no one has revoked.',
      ...countBy(ConsentGrant, 'client', { revokedAt: null }),
    }),
    endedGrantCount: t.loadable({
      description: 'Grants that have ended.',
      ...countBy(ConsentGrant, 'client', { revokedAt: { $ne: null } }),
    }),
    claimCounts: t.field({
      type: [ClaimCountType],
      description: 'Claims of its fans by state, each counted up to 10,000.',
      resolve: (client, _args, { context }) =>
        Promise.all(
          CLAIM_STATES.map(async (state) => ({
            state,
            count: await context.em.count(Claim, { state, grant: { client: client.id } }),
          })),
        ),
    }),
    openReview: t.loadable({
      type: ReviewType,
      description: 'Of its first registration, or of an edit beside the registration in force.',
      ...rowBy(ClientReview, 'client', { where: { decision: null }, refresh: true }),
    }),
    reviews: t.loadableList({
      type: ReviewType,
      description: 'Newest first.',
      ...rowsBy(ClientReview, 'client', { orderBy: { id: 'desc' }, refresh: true }),
    }),
    goLive: t.field({
      type: [GoLiveStepType],
      description: 'The way of a production client to its fans; empty for a sandbox client.',
      resolve: stepsToGoLive,
    }),
  }),
});

builder.queryFields((t) => ({
  clients: t.connection({
    type: ClientType,
    description: 'Newest first.',
    args: { mode: t.arg({ type: ModeType, description: 'Both if omitted.' }) },
    resolve: (_, { mode, ...page }, call) => pageOf(call.context, Client, page, [own(call), mode && { mode }]),
  }),
  client: t.field({
    type: ClientType,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, call) => call.context.em.findOne(Client, { $and: [{ id: knownId('client', id) }, own(call)] }),
  }),
}));
