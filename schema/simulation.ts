import type { ArmedFailure } from '../src/entities/armed-failure.ts';
import { Client } from '../src/entities/client.ts';
import { FAILURES, type Failure } from '../src/entities/simulation.ts';
import { endSimulation } from '../src/failure/advance-clock.ts';
import { armFailure, disarmFailure } from '../src/failure/arm-failure.ts';
import { failureKind } from '../src/failure/kinds.ts';
import { readSimulation, type ShownSimulation } from '../src/failure/read-simulation.ts';
import { knownId } from '../src/identifier/known-id.ts';
import { builder, enumOf, mutation, right } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf } from './context.ts';
import { given } from './given.ts';

const FailureType = enumOf('Failure', FAILURES, 'What a sandbox client can bring about.');

const FailureKindType = builder.objectRef<Failure>('FailureKind').implement({
  description: 'A failure, for a list to choose from.',
  fields: (t) => ({
    failure: t.field({ type: FailureType, resolve: (failure) => failure }),
    title: t.string({ resolve: (failure) => failureKind(failure).title }),
  }),
});

const ArmedFailureType = builder.objectRef<ArmedFailure>('ArmedFailure').implement({
  description: 'A failure that the next calls of a sandbox client meet.',
  fields: (t) => ({
    failure: t.expose('failure', { type: FailureType }),
    title: t.string({ resolve: ({ failure }) => failureKind(failure).title }),
    says: t.string({ description: 'What happens.', resolve: ({ failure }) => failureKind(failure).says }),
    operation: t.exposeString('operation', { nullable: true, description: 'Null: any call that can meet it.' }),
    timesLeft: t.exposeInt('timesLeft', {
      nullable: true,
      description: 'How many more calls meet it; null: every call until it expires.',
    }),
    armedBy: t.exposeString('armedBy', { description: '`member:…`, `staff:…`, or `client:…` by its sandbox key.' }),
    armedAt: t.expose('armedAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
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
    aheadSeconds: t.int({
      description: 'How far its clock is ahead of the real one.',
      resolve: ({ advanced }) => advanced,
    }),
  }),
});

builder.objectField(ClientType, 'simulation', (t) =>
  t.field({
    type: SimulationType,
    description: 'What the sandbox simulates for it; nothing for a production client.',
    resolve: (client, _args, { context }) => readSimulation(context, client),
  }),
);

builder.queryField('failureKinds', (t) =>
  t.field({
    type: [FailureKindType],
    authScopes: right('console:read'),
    description: 'Every failure that a sandbox client can bring about.',
    resolve: () => [...FAILURES],
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
