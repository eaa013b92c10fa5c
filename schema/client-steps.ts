import { Client, ClientReview } from '../src/entities/client.ts';
import {
  APPROVED_STATUSES,
  type AvailableStep,
  CLIENT_STEPS,
  type ClientStepName,
  LIFE_CYCLE,
  STEP_OBSTACLES,
  stepsOf,
} from '../src/partners/client/life-cycle.ts';
import { restoreRegistration } from '../src/partners/client/restore-registration.ts';
import { approvedAsIs } from '../src/partners/client/review.ts';
import { type StepRequest, takeClientStep } from '../src/partners/client/take-step.ts';
import { builder, CHANGE, enumOf, forBoth, forPartners, mutation } from './builder.ts';
import { ClientStatusType, ClientType } from './client.ts';
import { ClientReviewType } from './client-review.ts';
import { type Call, callerOf, personOf, viewerOf } from './context.ts';
import { rowsBy } from './loaders.ts';
import { own, requireOwn } from './own.ts';
import { StaffRightType } from './staff.ts';

const ClientStepNameType = enumOf('ClientStepName', CLIENT_STEPS);

const StepObstacleType = enumOf('ClientStepObstacle', STEP_OBSTACLES, 'Why you can’t take a step.');

const ClientStepType = builder.objectRef<AvailableStep>('ClientStep').implement({
  description: 'A step in the life cycle of a production client, for you. Each has a mutation.',
  fields: (t) => ({
    name: t.expose('name', { type: ClientStepNameType }),
    right: t.field({
      type: StaffRightType,
      description: 'The right it requires. If that is `fresh`, it also requires a sign-in within the last 5 minutes.',
      resolve: ({ name }) => ({ name: LIFE_CYCLE[name].right }),
    }),
    isAllowed: t.boolean({
      description: 'Whether you can take it now, apart from the fresh sign-in.',
      resolve: ({ obstacle }) => obstacle === null,
    }),
    obstacle: t.expose('obstacle', { type: StepObstacleType, nullable: true, description: 'Null if you can.' }),
    to: t.expose('to', { type: ClientStatusType, description: 'The client’s status after it.' }),
    needsVersion: t.boolean({
      description: 'Whether its mutation requires the version of the client that you looked at.',
      resolve: ({ name }) => LIFE_CYCLE[name].needsVersion === true,
    }),
  }),
});

/** Statuses in which a review may be open. */
const MAY_BE_REVIEWED: ReadonlySet<Client['status']> = new Set(['in_review', ...APPROVED_STATUSES]);

/** Open reviews and approvals. */
const reviewsInForce = rowsBy(ClientReview, 'client', {
  where: { $or: [{ decision: null }, { decision: 'approved' }] },
  orderBy: { decidedAt: 'desc', id: 'desc' },
  refresh: true,
});

builder.objectField(ClientType, 'steps', (t) =>
  t.loadableList({
    type: ClientStepType,
    description: 'The steps that can be taken now. A sandbox client has none.',
    load: async (clients: Client[], call) => {
      const ids = clients.filter(({ status }) => MAY_BE_REVIEWED.has(status)).map(({ id }) => id);
      const reviews = Map.groupBy(
        ids.length > 0 ? (await reviewsInForce.load(ids, call)).flat() : [],
        ({ client }) => client.id,
      );
      const person = await personOf(call);
      return clients.map((client) => {
        const ofClient = reviews.get(client.id) ?? [];
        const open = ofClient.find(({ decision }) => decision == null);
        const approval = approvedAsIs(
          client,
          ofClient.filter(({ decision }) => decision === 'approved'),
        );
        return stepsOf(client, { open, approval }, viewerOf(call), person);
      });
    },
    resolve: (client) => client,
  }),
);

builder.mutationFields((t) => {
  const clientId = t.arg.id({ required: true });
  const reason = t.arg.string({ required: true, description: '1 to 1,000 characters.' });
  const version = t.arg.int({ required: true, description: 'The version of the client that you looked at.' });
  const endsSales = t.arg.boolean({
    required: true,
    defaultValue: true,
    description: 'Whether what it put on sale is taken off sale.',
  });
  const note = { clientId, note: t.arg.string({ required: true, description: '1 to 1,000 characters.' }) };
  const takes = (name: ClientStepName, description: string) =>
    t.field({
      type: ClientType,
      ...mutation(LIFE_CYCLE[name].right),
      description,
      args: { clientId, reason, ...(LIFE_CYCLE[name].needsVersion && { version }) },
      resolve: (_, request, call) => takeStep(call, name, request),
    });
  return {
    submitClient: t.field({
      type: ClientReviewType,
      ...mutation(LIFE_CYCLE.submit.right),
      description: 'Submits a draft or rejected production client for review.',
      args: note,
      resolve: async (_, { clientId: id, note: text }, call) => {
        const client = await takeStep(call, 'submit', { clientId: id, reason: text });
        return call.work().em.findOneOrFail(ClientReview, { client: client.id }, { orderBy: { id: 'desc' } });
      },
    }),
    ...forPartners({
      submitClientForPartners: t.field({
        type: ClientType,
        ...CHANGE,
        description: 'Submits a draft or rejected production client to staff for review.',
        args: note,
        resolve: (_, { clientId: id, note: text }, call) => takeStep(call, 'submit', { clientId: id, reason: text }),
      }),
    }),
    ...forBoth({
      withdrawReview: takes(
        'withdraw',
        'Withdraws the open review. A client in review becomes a draft again; an approved client keeps its registration in force.',
      ),
    }),
    approveClient: takes(
      'approve',
      'Approves the open review. An edit of an approved client comes into force with it. The people who submitted or edited it, or belong to the partner, can’t approve it.',
    ),
    rejectClient: takes(
      'reject',
      'Rejects the open review. A client in review can be edited and submitted again; an approved client keeps its registration in force.',
    ),
    enableClient: takes(
      'enable',
      'Lets fans use an approved or suspended client as it was approved. The people who submitted or edited it, or belong to the partner, can’t.',
    ),
    suspendClient: t.field({
      type: ClientType,
      ...mutation(LIFE_CYCLE.suspend.right),
      description: 'Takes an enabled client out of use, from the next call on. Its grants stay.',
      args: { clientId, reason, endsSales },
      resolve: (_, request, call) => takeStep(call, 'suspend', request),
    }),
    restoreRegistration: t.field({
      type: ClientType,
      ...mutation('clients:enable'),
      description:
        'Restores the redirect URIs, scopes, loopback option and privacy page of an earlier approval. Needs no review, because two people approved them before.',
      args: { clientId, reviewId: t.arg.id({ required: true, description: 'The approval.' }), version, reason },
      resolve: (_, request, call) => restoreRegistration(call.work(), request, callerOf(call)),
    }),
  };
});

/** Takes a step of a client that the caller may reach. */
async function takeStep(call: Call, name: ClientStepName, request: StepRequest): Promise<Client> {
  const context = call.work();
  const clientId = await requireOwn(context, Client, 'client', request.clientId, own(call));
  return takeClientStep(context, name, { ...request, clientId }, callerOf(call));
}
