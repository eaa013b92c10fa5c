import type { ArmedFailure } from '../../src/entities/armed-failure.ts';
import { Client } from '../../src/entities/client.ts';
import { FAILURES } from '../../src/entities/simulation.ts';
import type { Id } from '../../src/platform/identifier/type-id.ts';
import { labelOf } from '../../src/record/activity/operations.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { advanceClock, endSimulation } from '../../src/sandbox/failure/advance-clock.ts';
import { armFailure, disarmFailure } from '../../src/sandbox/failure/arm-failure.ts';
import { readSimulations, type ShownSimulation } from '../../src/sandbox/failure/read-simulation.ts';
import { makeSandboxKey } from '../../src/sandbox/failure/sandbox-key.ts';
import { type ShownFailureKind, shownKind } from '../../src/sandbox/failure/shown-kind.ts';
import { given } from '../given.ts';
import { builder, CHANGE, enumOf } from './builder.ts';
import { ClientType } from './client.ts';
import { actorIn } from './context.ts';
import { own, requireOwn } from './scope.ts';

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
    name: t.exposeString('failure', { description: 'As the sandbox’s endpoints name it.' }),
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
  fields: (t) => ({
    failure: t.expose('failure', { type: FailureType }),
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
    seconds: t.exposeInt('seconds', { nullable: true }),
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
    hasKey: t.exposeBoolean('hasKey', { description: 'Whether a sandbox key was made for it.' }),
  }),
});

const SandboxKeyType = builder.objectRef<{ key: string }>('SandboxKey').implement({
  fields: (t) => ({ key: t.exposeString('key', { description: 'Shown once. The key before no longer works.' }) }),
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
    description: 'Every failure that a sandbox client can bring about.',
    resolve: () => FAILURES.map(shownKind),
  }),
);

builder.mutationFields((t) => {
  const clientId = t.arg.id({ required: true });
  const changed = async (context: ServiceContext, id: Id<'client'>) => context.em.fork().findOneOrFail(Client, { id });
  return {
    armFailure: t.field({
      type: ClientType,
      ...CHANGE,
      description: 'Arms a failure for a sandbox client. Arming it again replaces it.',
      args: {
        clientId,
        failure: t.arg({ type: FailureType, required: true }),
        operation: t.arg.string({ description: 'Of `FailureKind.calls`; any of them if omitted.' }),
        times: t.arg.int({ description: 'How many calls meet it, 1 to 100. 1 by default.' }),
        seconds: t.arg.int(),
        minutes: t.arg.int({ description: 'After which it is no longer armed, 1 to 60. 15 by default.' }),
      },
      resolve: async (_, { clientId: id, failure, ...more }, call) => {
        const context = call.work();
        const owned = await requireOwn(context, Client, 'client', id, own(call));
        await armFailure(context, owned, { failure, ...given(more) }, actorIn(call));
        return changed(context, owned);
      },
    }),
    disarmFailure: t.field({
      type: ClientType,
      ...CHANGE,
      args: { clientId, failure: t.arg({ type: FailureType, required: true }) },
      resolve: async (_, { clientId: id, failure }, call) => {
        const context = call.work();
        const owned = await requireOwn(context, Client, 'client', id, own(call));
        await disarmFailure(context, owned, failure, actorIn(call));
        return changed(context, owned);
      },
    }),
    advanceClock: t.field({
      type: ClientType,
      ...CHANGE,
      description:
        'Moves the clock of a sandbox client on: what it holds grows older, and events are nearer for it alone.',
      args: {
        clientId,
        aheadSeconds: t.arg.int({ required: true, description: 'How far it is ahead of the real clock afterwards.' }),
      },
      resolve: async (_, { clientId: id, aheadSeconds }, call) => {
        const context = call.work();
        const owned = await requireOwn(context, Client, 'client', id, own(call));
        await advanceClock(context, owned, aheadSeconds, actorIn(call));
        return changed(context, owned);
      },
    }),
    endSimulation: t.field({
      type: ClientType,
      ...CHANGE,
      description: 'Disarms every failure of a sandbox client and sets its clock back. What has expired stays so.',
      args: { clientId },
      resolve: async (_, { clientId: id }, call) => {
        const context = call.work();
        const owned = await requireOwn(context, Client, 'client', id, own(call));
        await endSimulation(context, owned, actorIn(call));
        return changed(context, owned);
      },
    }),
    makeSandboxKey: t.field({
      type: SandboxKeyType,
      ...CHANGE,
      description: 'Makes the key with which programs arm failures for a sandbox client.',
      args: { clientId },
      resolve: async (_, { clientId: id }, call) => {
        const context = call.work();
        const owned = await requireOwn(context, Client, 'client', id, own(call));
        return { key: await makeSandboxKey(context, owned, actorIn(call)) };
      },
    }),
  };
});
