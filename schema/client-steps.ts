import {
  type AvailableStep,
  CLIENT_STEPS,
  type ClientStepName,
  LIFE_CYCLE,
  STEP_OBSTACLES,
  stepsOf,
} from '../src/client/life-cycle.ts';
import { takeClientStep } from '../src/client/take-step.ts';
import { type Client, ClientReview } from '../src/entities/client.ts';
import { builder, enumOf, mutation } from './builder.ts';
import { ClientStatusType, ClientType } from './client.ts';
import { ClientReviewType } from './client-review.ts';
import { callerOf, viewerOf } from './context.ts';
import { rowsBy } from './loaders.ts';
import { StaffRightType } from './staff.ts';

const ClientStepNameType = enumOf('ClientStepName', CLIENT_STEPS);

const StepObstacleType = enumOf('ClientStepObstacle', STEP_OBSTACLES, 'Why you may not take a step.');

const ClientStepType = builder.objectRef<AvailableStep>('ClientStep').implement({
  description: 'A step in the life cycle of a production client, as you see it. There is one mutation for each.',
  fields: (t) => ({
    name: t.expose('name', { type: ClientStepNameType }),
    right: t.field({
      type: StaffRightType,
      description: 'What it needs. Where the right is `fresh`, a sign-in of the last five minutes.',
      resolve: ({ name }) => ({ name: LIFE_CYCLE[name].right }),
    }),
    isAllowed: t.boolean({
      description: 'Whether you may take it now, a fresh sign-in aside.',
      resolve: ({ obstacle }) => obstacle === null,
    }),
    obstacle: t.expose('obstacle', { type: StepObstacleType, nullable: true, description: 'Null where you may.' }),
    to: t.field({
      type: ClientStatusType,
      description: 'The status that it leads to.',
      resolve: ({ name }) => LIFE_CYCLE[name].to,
    }),
    needsVersion: t.boolean({
      description: 'Whether its mutation takes the version of the client that you looked at.',
      resolve: ({ name }) => LIFE_CYCLE[name].needsVersion === true,
    }),
  }),
});

const openReviews = rowsBy(ClientReview, 'client', { where: { decision: null }, refresh: true });

builder.objectField(ClientType, 'steps', (t) =>
  t.loadableList({
    type: ClientStepType,
    description: 'The steps that lead on from its status. A sandbox client has none.',
    load: async (clients: Client[], call) => {
      const ids = clients.filter(({ status }) => status === 'in_review').map(({ id }) => id);
      const reviews = ids.length > 0 ? (await openReviews.load(ids, call)).flat() : [];
      const reviewOf = new Map(reviews.map((review) => [review.client.id, review]));
      return clients.map((client) => stepsOf(client, reviewOf.get(client.id), viewerOf(call)));
    },
    resolve: (client) => client,
  }),
);

builder.mutationFields((t) => {
  const clientId = t.arg.id({ required: true });
  const reason = t.arg.string({ required: true, description: '1 to 1,000 characters.' });
  const version = t.arg.int({ required: true, description: 'The version of the client that you looked at.' });
  const takes = (name: ClientStepName, description: string) =>
    t.field({
      type: ClientType,
      ...mutation(LIFE_CYCLE[name].right),
      description,
      args: { clientId, reason, ...(LIFE_CYCLE[name].needsVersion && { version }) },
      resolve: (_, request, call) => takeClientStep(call.work(), name, request, callerOf(call)),
    });
  return {
    submitClient: t.field({
      type: ClientReviewType,
      ...mutation(LIFE_CYCLE.submit.right),
      description: 'Submits a draft or rejected production client for review.',
      args: { clientId, note: t.arg.string({ required: true, description: '1 to 1,000 characters.' }) },
      resolve: async (_, { clientId, note }, call) => {
        const work = call.work();
        const { id } = await takeClientStep(work, 'submit', { clientId, reason: note }, callerOf(call));
        return work.em.findOneOrFail(ClientReview, { client: id }, { orderBy: { id: 'desc' } });
      },
    }),
    withdrawReview: takes('withdraw', 'Withdraws a client from review: it is a draft again.'),
    approveClient: takes('approve', 'The people who submitted the client or edited it in review can’t approve it.'),
    rejectClient: takes('reject', 'Rejects a client in review. It can be edited and submitted again.'),
    enableClient: takes('enable', 'Lets an approved or suspended client be used, as it was approved.'),
    suspendClient: takes('suspend', 'Stops an enabled client from the next call on; its grants stay.'),
  };
});
