import { isFrozen, type RegistrationChange } from '../src/client/describe-changes.ts';
import { mayApprove } from '../src/client/life-cycle.ts';
import { ClientReview, REVIEW_DECISIONS, type ReviewedRegistration } from '../src/entities/client.ts';
import { builder, enumOf, right } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf } from './context.ts';
import { pageOf } from './lists.ts';
import { entityType } from './loaders.ts';
import { StaffType, staffIn } from './staff.ts';

const DecisionType = enumOf('ReviewDecision', REVIEW_DECISIONS);

const ReviewedType = builder.objectRef<ReviewedRegistration>('ReviewedRegistration').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    redirectUris: t.exposeStringList('redirectUris'),
    scopes: t.exposeStringList('scopes'),
    loopbackAnyPort: t.exposeBoolean('loopbackAnyPort'),
    refreshRetryWindow: t.exposeInt('refreshRetryWindow'),
  }),
});

export const RegistrationChangeType = builder.objectRef<RegistrationChange>('RegistrationChange').implement({
  description: 'A part of a registration that differs from the approved one.',
  fields: (t) => ({
    field: t.exposeString('field'),
    before: t.expose('before', { type: 'JSON' }),
    after: t.expose('after', { type: 'JSON' }),
    added: t.exposeStringList('added', { description: 'Of a list: entries that are new.' }),
    removed: t.exposeStringList('removed', { description: 'Of a list: entries that are gone.' }),
    frozen: t.boolean({ description: 'Whether it asks for a new review.', resolve: isFrozen }),
  }),
});

export const ClientReviewType = entityType('ClientReview', ClientReview);

ClientReviewType.implement({
  description: 'A production client’s way through review.',
  fields: (t) => ({
    id: t.exposeID('id'),
    client: t.field({ type: ClientType, resolve: (review) => review.client.id }),
    submittedBy: t.field({ type: StaffType, nullable: true, resolve: ({ submittedBy }) => staffIn(submittedBy) }),
    submittedAt: t.expose('submittedAt', { type: 'DateTime' }),
    note: t.exposeString('note', { description: 'What the reviewers should know.' }),
    registration: t.expose('registration', {
      type: ReviewedType,
      description: 'As it was submitted, with the edits since: what the decision is about.',
    }),
    editors: t.field({
      type: [StaffType],
      description: 'Who edited it in review.',
      resolve: ({ editors }) => editors.map(staffIn).filter((id) => id !== null),
    }),
    decision: t.expose('decision', { type: DecisionType, nullable: true, description: 'Null while it is open.' }),
    decidedBy: t.field({ type: StaffType, nullable: true, resolve: ({ decidedBy }) => staffIn(decidedBy) }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true }),
    reason: t.exposeString('reason', { nullable: true }),
    mayApprove: t.boolean({
      description: 'Whether you are a second person to it: you have neither submitted it nor edited it in review.',
      resolve: (review, _, call) => mayApprove(review, callerOf(call)),
    }),
  }),
});

builder.queryFields((t) => ({
  reviewQueue: t.connection({
    type: ClientReviewType,
    authScopes: right('console:read'),
    description: 'Open reviews.',
    resolve: (_, page, { context }) => pageOf(context, ClientReview, page, [{ decision: null }]),
  }),
}));
