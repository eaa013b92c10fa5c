import { Client, ClientReview, REVIEW_DECISIONS, type ReviewedRegistration } from '../src/entities/client.ts';
import { changesInForce } from '../src/partners/client/approvals.ts';
import { frozenOf, type RegistrationChange } from '../src/partners/client/describe-changes.ts';
import { partIn } from '../src/partners/client/life-cycle.ts';
import { staffIn } from '../src/partners/person.ts';
import { originsOf } from '../src/partners/redirect-uri.ts';
import { submitterOf } from '../src/people/workspace/review-authors.ts';
import { builder, enumOf, right } from './builder.ts';
import { ClientType } from './client.ts';
import { personOf, type StaffCall } from './context.ts';
import { pageOf } from './lists.ts';
import { entityType } from './loaders.ts';
import { OLDEST_FIRST } from './sorts.ts';
import { StaffType } from './staff.ts';

const DecisionType = enumOf('ReviewDecision', REVIEW_DECISIONS);

const ReviewedType = builder.objectRef<ReviewedRegistration>('ReviewedRegistration').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    redirectUris: t.exposeStringList('redirectUris'),
    scopes: t.exposeStringList('scopes'),
    corsOrigins: t.stringList({
      description: 'Origins from which the client’s pages can call with it.',
      resolve: ({ redirectUris }) => originsOf(redirectUris),
    }),
    loopbackAnyPort: t.exposeBoolean('loopbackAnyPort'),
    refreshRetryWindow: t.exposeInt('refreshRetryWindow'),
    privacyUrl: t.string({ resolve: (registration) => frozenOf(registration).privacyUrl }),
  }),
});

export const RegistrationChangeType = builder.objectRef<RegistrationChange>('RegistrationChange').implement({
  description: 'A field of a registration that differs from the one in force.',
  fields: (t) => ({
    field: t.exposeString('field'),
    before: t.expose('before', { type: 'JSON' }),
    after: t.expose('after', { type: 'JSON' }),
    added: t.exposeStringList('added', { description: 'Of a list: entries that only `after` has.' }),
    removed: t.exposeStringList('removed', { description: 'Of a list: entries that only `before` has.' }),
  }),
});

export const ClientReviewType = entityType('ClientReview', ClientReview);

ClientReviewType.implement({
  description:
    'A review of a production client: of its first registration, or of an edit beside the registration in force.',
  fields: (t) => ({
    id: t.exposeID('id'),
    client: t.field({ type: ClientType, resolve: (review) => review.client.id }),
    submittedBy: t.field({ type: StaffType, nullable: true, resolve: ({ submittedBy }) => staffIn(submittedBy) }),
    isPartners: t.boolean({
      description: 'Whether a person of the partner submitted it.',
      resolve: (review) => submitterOf(review) === 'partner',
    }),
    submittedAt: t.expose('submittedAt', { type: 'DateTime' }),
    note: t.exposeString('note', { description: 'What the reviewers should know.' }),
    registration: t.expose('registration', {
      type: ReviewedType,
      description: 'As submitted, with later edits: what the decision is about.',
    }),
    editors: t.field({
      type: [StaffType],
      description: 'Who edited it, and so can’t approve it.',
      resolve: ({ editors }) => editors.map(staffIn).filter((id) => id !== undefined),
    }),
    decision: t.expose('decision', { type: DecisionType, nullable: true, description: 'Null while it is open.' }),
    decidedBy: t.field({ type: StaffType, nullable: true, resolve: ({ decidedBy }) => staffIn(decidedBy) }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true }),
    reason: t.exposeString('reason', { nullable: true }),
    changes: t.loadableList({
      type: RegistrationChangeType,
      nullable: true,
      description:
        'What approving it (or, once approved, restoring it) would change in the registration in force; null if none is in force, or if the review was rejected or withdrawn.',
      load: async (reviews: ClientReview[], call) => {
        const clients = await clientsOf(reviews, call);
        return reviews.map((review, index) => {
          const client = clients[index];
          return client ? changesInForce(client, review) : null;
        });
      },
      resolve: (review) => review,
    }),
    mayApprove: t.loadable({
      type: 'Boolean',
      description:
        'Whether you are a second person: you have neither submitted it nor edited it, and don’t belong to the partner.',
      load: async (reviews: ClientReview[], call) => {
        const clients = await clientsOf(reviews, call);
        const person = await personOf(call);
        return reviews.map((review, index) => {
          const client = clients[index];
          return client !== undefined && partIn(review, client, person) === undefined;
        });
      },
      resolve: (review) => review,
    }),
  }),
});

/** The client of each review. */
async function clientsOf(reviews: readonly ClientReview[], { context }: StaffCall): Promise<(Client | undefined)[]> {
  const ids = [...new Set(reviews.map(({ client }) => client.id))];
  const clients = await context.em.find(Client, { id: { $in: ids } });
  const byId = new Map(clients.map((client) => [client.id, client]));
  return reviews.map(({ client }) => byId.get(client.id));
}

builder.queryFields((t) => ({
  reviewQueue: t.connection({
    type: ClientReviewType,
    authScopes: right('console:read'),
    description: 'Open reviews, oldest first.',
    resolve: (_, page, { context }) =>
      pageOf(context, ClientReview, page, [{ decision: null }], { sort: OLDEST_FIRST }),
  }),
}));
