import type { ArmedFailure } from '../src/entities/armed-failure.ts';
import { Client } from '../src/entities/client.ts';
import { FAILURES } from '../src/entities/simulation.ts';
import type { Id } from '../src/platform/identifier/type-id.ts';
import { labelOf } from '../src/record/activity/operations.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { advanceClock, endSimulation } from '../src/sandbox/failure/advance-clock.ts';
import { armFailure, disarmFailure } from '../src/sandbox/failure/arm-failure.ts';
import { failureKind, type ShownFailureKind, shownKind } from '../src/sandbox/failure/kinds.ts';
import { readSimulations, type ShownSimulation } from '../src/sandbox/failure/read-simulation.ts';
import { makeSandboxKey } from '../src/sandbox/failure/sandbox-key.ts';
import { builder, CHANGE, enumOf, forBoth, forPartners, mutation, right } from './builder.ts';
import { ClientType } from './client.ts';
import { type Call, callerOf } from './context.ts';
import { given } from './given.ts';
import { own, requireOwn } from './own.ts';

const FailureType = enumOf('Failure', FAILURES, 'What a sandbox client can bring about.');

const FailureCallType = builder.objectRef<ShownFailureKind['calls'][number]>('FailureCall').implement({
  description: 'A call that can meet a failure.',
  fields: (t) =>
    forBoth({
      operation: t.exposeString('operation', { description: 'As `armFailure` takes it.' }),
      label: t.exposeString('label', { description: 'As the API description names it.' }),
    }),
});

const FailureKindType = builder.objectRef<ShownFailureKind>('FailureKind').implement({
  description: 'A failure, for a list to choose from.',
  fields: (t) => ({
    ...forPartners({ name: t.exposeString('failure', { description: 'As the sandbox’s endpoints name it.' }) }),
    ...forBoth({
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
  }),
});

const ArmedFailureType = builder.objectRef<ArmedFailure>('ArmedFailure').implement({
  description: 'A failure that the next calls of a sandbox client meet.',
  fields: (t) => ({
    title: t.string({ resolve: ({ failure }) => failureKind(failure).title }),
    says: t.string({ description: 'What happens.', resolve: ({ failure }) => failureKind(failure).says }),
    armedBy: t.exposeString('armedBy', { description: '`member:…`, `staff:…`, or `client:…` by its sandbox key.' }),
    ...forPartners({ seconds: t.exposeInt('seconds', { nullable: true }) }),
    ...forBoth({
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
      armedAt: t.expose('armedAt', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
      metAt: t.expose('metAt', { type: 'DateTime', nullable: true, description: 'When a call met it last.' }),
    }),
  }),
});

const SimulationType = builder.objectRef<ShownSimulation>('Simulation').implement({
  description: 'What the sandbox simulates for one client.',
  fields: (t) => ({
    ...forPartners({
      hasKey: t.exposeBoolean('hasKey', { description: 'Whether a sandbox key was made for it.' }),
    }),
    ...forBoth({
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
  }),
});

const SandboxKeyType = builder.objectRef<{ key: string }>('SandboxKey').implement({
  fields: (t) =>
    forPartners({ key: t.exposeString('key', { description: 'Shown once. The key before no longer works.' }) }),
});

builder.objectFields(ClientType, (t) =>
  forBoth({
    simulation: t.loadable({
      type: SimulationType,
      description: 'What the sandbox simulates for it; nothing for a production client.',
      load: (clients: Client[], { context }) => readSimulations(context, clients),
      resolve: (client) => client,
    }),
  }),
);

builder.queryFields((t) =>
  forBoth({
    failureKinds: t.field({
      type: [FailureKindType],
      authScopes: right('console:read'),
      description: 'Every failure that a sandbox client can bring about.',
      resolve: () => FAILURES.map(shownKind),
    }),
  }),
);

/** Changes the simulation of a client that the caller may reach. */
async function simulate(
  call: Call,
  id: string,
  change: (context: ServiceContext, clientId: Id<'client'>, actor: string) => Promise<unknown>,
): Promise<Client> {
  const context = call.work();
  const clientId = await requireOwn(context, Client, 'client', id, own(call));
  await change(context, clientId, callerOf(call));
  return context.em.fork().findOneOrFail(Client, { id: clientId });
}

builder.mutationFields((t) => {
  const clientId = t.arg.id({ required: true });
  const failure = t.arg({ type: FailureType, required: true });
  return {
    ...forBoth({
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
        resolve: (_, { clientId: id, failure: armed, ...more }, call) =>
          simulate(call, id, (context, client, actor) =>
            armFailure(context, client, { failure: armed, ...given(more) }, actor),
          ),
      }),
      disarmFailure: t.field({
        type: ClientType,
        ...mutation('sandbox:write'),
        args: { clientId, failure },
        resolve: (_, { clientId: id, failure: disarmed }, call) =>
          simulate(call, id, (context, client, actor) => disarmFailure(context, client, disarmed, actor)),
      }),
      endSimulation: t.field({
        type: ClientType,
        ...mutation('sandbox:write'),
        description: 'Disarms every failure of a sandbox client and sets its clock back. What has expired stays so.',
        args: { clientId },
        resolve: (_, { clientId: id }, call) => simulate(call, id, endSimulation),
      }),
    }),
    ...forPartners({
      advanceClock: t.field({
        type: ClientType,
        ...CHANGE,
        description:
          'Moves the clock of a sandbox client on: what it holds grows older, and events are nearer for it alone.',
        args: {
          clientId,
          aheadSeconds: t.arg.int({ required: true, description: 'How far it is ahead of the real clock afterwards.' }),
        },
        resolve: (_, { clientId: id, aheadSeconds }, call) =>
          simulate(call, id, (context, client, actor) => advanceClock(context, client, aheadSeconds, actor)),
      }),
      makeSandboxKey: t.field({
        type: SandboxKeyType,
        ...CHANGE,
        description: 'Makes the key with which programs arm failures for a sandbox client.',
        args: { clientId },
        resolve: async (_, { clientId: id }, call) => {
          const context = call.work();
          const client = await requireOwn(context, Client, 'client', id, own(call));
          return { key: await makeSandboxKey(context, client, callerOf(call)) };
        },
      }),
    }),
  };
});
