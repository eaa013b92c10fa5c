import { approveClient, mayApprove } from '../src/client/approve-client.ts';
import { isFrozen, type RegistrationChange } from '../src/client/describe-changes.ts';
import { enableClient } from '../src/client/enable-client.ts';
import { rejectClient } from '../src/client/reject-client.ts';
import { submitForReview } from '../src/client/submit-for-review.ts';
import { suspendClient } from '../src/client/suspend-client.ts';
import { withdrawReview } from '../src/client/withdraw-review.ts';
import { ClientReview, REVIEW_DECISIONS, type ReviewedRegistration } from '../src/entities/client-review.ts';
import { builder, enumOf, right } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf } from './context.ts';
import { pageOf } from './keyset.ts';
import { rowsById } from './load-rows.ts';
import { StaffType } from './staff.ts';
import { staffIn } from './staff-in.ts';

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

export const ClientReviewType = builder.loadableObjectRef<ClientReview, string>('ClientReview', {
  load: (ids, { context }) => rowsById(context, ClientReview, ids),
  toKey: (review) => review.id,
  cacheResolved: true,
});

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
    resolve: (_, page, { context }) => pageOf(context, ClientReview, { decision: null }, page),
  }),
}));

builder.mutationFields((t) => {
  const clientId = t.arg.id({ required: true });
  const reason = t.arg.string({ required: true, description: '1 to 1,000 characters.' });
  const version = t.arg.int({ required: true, description: 'The version of the client that you looked at.' });
  return {
    submitClient: t.field({
      type: ClientReviewType,
      authScopes: right('clients:write'),
      errors: {},
      description: 'Hands a drafted or rejected production client to whoever reviews.',
      args: { clientId, note: t.arg.string({ required: true, description: '1 to 1,000 characters.' }) },
      resolve: (_, args, call) => submitForReview(call.work(), args.clientId, args.note, callerOf(call)),
    }),
    withdrawReview: t.field({
      type: ClientType,
      authScopes: right('clients:write'),
      errors: {},
      description: 'Takes a client back out of review; it is a draft again.',
      args: { clientId, reason },
      resolve: (_, args, call) => withdrawReview(call.work(), args.clientId, args.reason, callerOf(call)),
    }),
    approveClient: t.field({
      type: ClientType,
      authScopes: right('clients:review'),
      errors: {},
      description: 'It takes two people: who submitted it or edited it in review can not.',
      args: { clientId, version, reason },
      resolve: (_, decision, call) => approveClient(call.work(), decision, callerOf(call)),
    }),
    rejectClient: t.field({
      type: ClientType,
      authScopes: right('clients:review'),
      errors: {},
      args: { clientId, version, reason },
      resolve: (_, decision, call) => rejectClient(call.work(), decision, callerOf(call)),
    }),
    enableClient: t.field({
      type: ClientType,
      authScopes: right('clients:enable'),
      errors: {},
      description: 'Lets an approved or suspended client be used, as it was approved.',
      args: { clientId, reason },
      resolve: (_, args, call) => enableClient(call.work(), args.clientId, args.reason, callerOf(call)),
    }),
    suspendClient: t.field({
      type: ClientType,
      authScopes: right('clients:suspend'),
      errors: {},
      description: 'Stops an enabled client from the next call on; its grants stay.',
      args: { clientId, reason },
      resolve: (_, args, call) => suspendClient(call.work(), args.clientId, args.reason, callerOf(call)),
    }),
  };
});
