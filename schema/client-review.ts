import { Client, ClientReview, REVIEW_DECISIONS, type ReviewedRegistration } from '../src/entities/client.ts';
import { frozenOf, type RegistrationChange } from '../src/partners/client/describe-changes.ts';
import { partIn } from '../src/partners/client/life-cycle.ts';
import { changesInForce, SUBMITTERS, submitterOf } from '../src/partners/client/review.ts';
import { memberIn, staffIn } from '../src/partners/person.ts';
import { originsOf } from '../src/partners/redirect-uri.ts';
import { builder, enumOf, type FieldsOf, forBoth, forPartners, right } from './builder.ts';
import { ClientType } from './client.ts';
import { type Call, personOf } from './context.ts';
import { pageOf } from './lists.ts';
import { entityType } from './loaders.ts';
import { OLDEST_FIRST } from './sorts.ts';
import { StaffType } from './staff.ts';

const DecisionType = enumOf('ReviewDecision', REVIEW_DECISIONS);

const SubmitterType = enumOf('ReviewSubmitter', SUBMITTERS, 'A person of the partner, or staff.');

const registrationFields = (t: FieldsOf<ReviewedRegistration>) => ({
  name: t.exposeString('name'),
  redirectUris: t.exposeStringList('redirectUris'),
  scopes: t.exposeStringList('scopes'),
  loopbackAnyPort: t.exposeBoolean('loopbackAnyPort'),
  refreshRetryWindow: t.exposeInt('refreshRetryWindow'),
  privacyUrl: t.string({ resolve: (registration) => frozenOf(registration).privacyUrl }),
  marketplaces: t.stringList({ resolve: (registration) => frozenOf(registration).marketplaces }),
});

const ReviewedType = builder.objectRef<ReviewedRegistration>('ReviewedRegistration').implement({
  fields: (t) => ({
    ...registrationFields(t),
    corsOrigins: t.stringList({
      description: 'Origins from which the client’s pages can call with it.',
      resolve: ({ redirectUris }) => originsOf(redirectUris),
    }),
  }),
});

const RegistrationType = builder
  .objectRef<ReviewedRegistration>('Registration')
  .implement({ fields: (t) => forPartners(registrationFields(t)) });

const RegistrationChangeType = builder.objectRef<RegistrationChange>('RegistrationChange').implement({
  description: 'A field of a registration that differs from the one in force.',
  fields: (t) =>
    forBoth({
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
    'A review of a production client by staff: of its first registration, or of an edit beside the one in force.',
  fields: (t) => ({
    ...forBoth({
      id: t.exposeID('id'),
      submittedAt: t.expose('submittedAt', { type: 'DateTime' }),
      decision: t.expose('decision', { type: DecisionType, nullable: true, description: 'Null while it is open.' }),
      decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true }),
    }),
    ...forPartners({
      submittedByForPartners: t.field({ type: SubmitterType, resolve: submitterOf }),
      noteForPartners: t.string({
        nullable: true,
        description: 'What the reviewers should know, as the partner wrote it; null where staff submitted it.',
        resolve: (review) => (memberIn(review.submittedBy) === undefined ? null : review.note),
      }),
      registrationForPartners: t.expose('registration', {
        type: RegistrationType,
        description: 'As submitted, with later edits: what the decision is about.',
      }),
      changesForPartners: t.loadableList({
        type: RegistrationChangeType,
        nullable: true,
        description:
          'What approving it would change in the registration in force; null where nothing is in force, or it was decided.',
        load: async (reviews: ClientReview[], call) =>
          (await changesOf(reviews, call)).map((changes, index) =>
            reviews[index]?.decision === null ? changes : null,
          ),
        resolve: (review) => review,
      }),
      reasonForPartners: t.string({
        nullable: true,
        description: 'Why it was rejected or withdrawn.',
        resolve: ({ decision, reason }) =>
          decision === 'rejected' || decision === 'withdrawn' ? (reason ?? null) : null,
      }),
    }),
    client: t.field({ type: ClientType, resolve: (review) => review.client.id }),
    submittedBy: t.field({ type: StaffType, nullable: true, resolve: ({ submittedBy }) => staffIn(submittedBy) }),
    isPartners: t.boolean({
      description: 'Whether a person of the partner submitted it.',
      resolve: (review) => submitterOf(review) === 'partner',
    }),
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
    decidedBy: t.field({ type: StaffType, nullable: true, resolve: ({ decidedBy }) => staffIn(decidedBy) }),
    reason: t.exposeString('reason', { nullable: true }),
    changes: t.loadableList({
      type: RegistrationChangeType,
      nullable: true,
      description:
        'What approving it (or, once approved, restoring it) would change in the registration in force; null if none is in force, or if the review was rejected or withdrawn.',
      load: changesOf,
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

/** How the registration of each review differs from the one in force. */
async function changesOf(reviews: ClientReview[], call: Call): Promise<(RegistrationChange[] | null)[]> {
  const clients = await clientsOf(reviews, call);
  return reviews.map((review, index) => {
    const client = clients[index];
    return client ? changesInForce(client, review) : null;
  });
}

/** The client of each review. */
async function clientsOf(reviews: readonly ClientReview[], { context }: Call): Promise<(Client | undefined)[]> {
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
      pageOf(context, ClientReview, { ...page, sort: OLDEST_FIRST }, [{ decision: null }]),
  }),
}));
