import type { ArmedFailure } from '../src/entities/armed-failure.ts';
import { Client } from '../src/entities/client.ts';
import { FAILURES } from '../src/entities/simulation.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { labelOf } from '../src/record/activity/operations.ts';
import { endSimulation } from '../src/sandbox/failure/advance-clock.ts';
import { armFailure, disarmFailure } from '../src/sandbox/failure/arm-failure.ts';
import { failureKind } from '../src/sandbox/failure/kinds.ts';
import { readSimulations, type ShownSimulation } from '../src/sandbox/failure/read-simulation.ts';
import { type ShownFailureKind, shownKind } from '../src/sandbox/failure/shown-kind.ts';
import { builder, enumOf, mutation, right } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf } from './context.ts';
import { given } from './given.ts';

const FailureType = enumOf('Failure', FAILURES, 'What a sandbox client can bring about.');

const FailureCallType = builder.objectRef<ShownFailureKind['calls'][number]>('FailureCall').implement({
  description: 'A call that can meet a failure.',
  fields: (t) => ({
    operation: t.exposeString('operation', { description: 'As `armFailure` takes it.' }),
    label: t.exposeString('label', { description: 'As the API description names it.' }),
  }),
});

const FailureKindType = builder.objectRef<ShownFailureKind>('FailureKind').implement({
  description: 'A failure, for a list to choose from.',
  fields: (t) => ({
    failure: t.expose('failure', { type: FailureType }),
    title: t.exposeString('title'),
    says: t.exposeString('says', { description: 'What happens.' }),
    isState: t.exposeBoolean('isState', {
      description: 'Whether it holds for every call until it ends, and not for a number of calls.',
    }),
    calls: t.expose('calls', { type: [FailureCallType], description: 'The calls that can meet it.' }),
    secondsMean: t.string({
      nullable: true,
      description: 'What `seconds` means; null where it means nothing.',
      resolve: ({ seconds }) => seconds?.says ?? null,
    }),
    usualSeconds: t.int({ nullable: true, resolve: ({ seconds }) => seconds?.usual ?? null }),
    mostSeconds: t.int({ nullable: true, resolve: ({ seconds }) => seconds?.most ?? null }),
  }),
});

const ArmedFailureType = builder.objectRef<ArmedFailure>('ArmedFailure').implement({
  description: 'A failure that the next calls of a sandbox client meet.',
  fields: (t) => ({
    failure: t.expose('failure', { type: FailureType }),
    title: t.string({ resolve: ({ failure }) => failureKind(failure).title }),
    says: t.string({ description: 'What happens.', resolve: ({ failure }) => failureKind(failure).says }),
    operation: t.exposeString('operation', { nullable: true, description: 'Null: any call that can meet it.' }),
    call: t.string({
      nullable: true,
      description: 'The operation, as the API description names it.',
      resolve: ({ operation }) => (operation ? labelOf(operation) : null),
    }),
    timesLeft: t.exposeInt('timesLeft', {
      nullable: true,
      description: 'How many more calls meet it; null: every call until it expires.',
    }),
    armedBy: t.exposeString('armedBy', { description: '`member:…`, `staff:…`, or `client:…` by its sandbox key.' }),
    armedAt: t.expose('armedAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    metAt: t.expose('metAt', { type: 'DateTime', nullable: true, description: 'When a call met it last.' }),
  }),
});

const SimulationType = builder.objectRef<ShownSimulation>('Simulation').implement({
  description: 'What the sandbox simulates for one client.',
  fields: (t) => ({
    armed: t.expose('armed', {
      type: [ArmedFailureType],
      description: 'In the order in which calls meet them.',
      // few, and read in one statement
      complexity: { field: 1, multiplier: 1 },
    }),
    met: t.expose('met', {
      type: [ArmedFailureType],
      description: 'Failures that calls have met, the latest first, until the simulation ends.',
      complexity: { field: 1, multiplier: 1 },
    }),
    aheadSeconds: t.int({
      description: 'How far its clock is ahead of the real one.',
      resolve: ({ advanced }) => advanced,
    }),
  }),
});

builder.objectField(ClientType, 'simulation', (t) =>
  t.loadable({
    type: SimulationType,
    description: 'What the sandbox simulates for it; nothing for a production client.',
    load: (clients: Client[], { context }) => readSimulations(context, clients),
    resolve: (client) => client,
  }),
);

builder.queryField('failureKinds', (t) =>
  t.field({
    type: [FailureKindType],
    authScopes: right('console:read'),
    description: 'Every failure that a sandbox client can bring about.',
    resolve: () => FAILURES.map(shownKind),
  }),
);

builder.mutationFields((t) => {
  const clientId = t.arg.id({ required: true });
  const failure = t.arg({ type: FailureType, required: true });
  return {
    armFailure: t.field({
      type: ClientType,
      ...mutation('sandbox:write'),
      description: 'Arms a failure for a sandbox client. Arming it again replaces it.',
      args: {
        clientId,
        failure,
        operation: t.arg.string({ description: 'Of `FailureKind.calls`; any of them if omitted.' }),
        times: t.arg.int({ description: 'How many calls meet it, 1 to 100. 1 by default.' }),
        seconds: t.arg.int({ description: 'Of a slow answer, of `Retry-After`, or how long the JWKS lacks a key.' }),
        minutes: t.arg.int({ description: 'After which it is no longer armed, 1 to 60. 15 by default.' }),
      },
      resolve: async (_, { clientId: id, failure: armed, ...more }, call) => {
        const context = call.work();
        await armFailure(context, id, { failure: armed, ...given(more) }, callerOf(call));
        return context.em.fork().findOneOrFail(Client, { id: knownId('client', id) });
      },
    }),
    disarmFailure: t.field({
      type: ClientType,
      ...mutation('sandbox:write'),
      args: { clientId, failure },
      resolve: async (_, { clientId: id, failure: disarmed }, call) => {
        const context = call.work();
        await disarmFailure(context, id, disarmed, callerOf(call));
        return context.em.fork().findOneOrFail(Client, { id: knownId('client', id) });
      },
    }),
    endSimulation: t.field({
      type: ClientType,
      ...mutation('sandbox:write'),
      description: 'Disarms every failure of a sandbox client and sets its clock back. What has expired stays so.',
      args: { clientId },
      resolve: async (_, { clientId: id }, call) => {
        const context = call.work();
        await endSimulation(context, id, callerOf(call));
        return context.em.fork().findOneOrFail(Client, { id: knownId('client', id) });
      },
    }),
  };
});
