import { Client, type ClientReview } from '../src/entities/client.ts';
import { CHECK_VERDICTS, type CheckResult, GoLiveAttempt, GoLiveRun } from '../src/entities/go-live-check.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { type AttachedRun, attachedRuns, reviewedRedirectUris } from '../src/sandbox/go-live-check/attached-run.ts';
import { CHECKS, type Check } from '../src/sandbox/go-live-check/checks.ts';
import { finishRun } from '../src/sandbox/go-live-check/finish-run.ts';
import { countVerdict, isStale, readSheet } from '../src/sandbox/go-live-check/read-sheet.ts';
import { type RunAddresses, runAddresses } from '../src/sandbox/go-live-check/run-addresses.ts';
import { endCheck, startCheck } from '../src/sandbox/go-live-check/start-check.ts';
import { attachRun, startRun } from '../src/sandbox/go-live-check/start-run.ts';
import { builder, CHANGE, enumOf, forBoth, forPartners } from './builder.ts';
import { ClientReviewType } from './client-review.ts';
import { type Call, callerOf } from './context.ts';
import { pageOf } from './lists.ts';
import { entityType, rowsUnder } from './loaders.ts';
import { own, requireOwn } from './own.ts';

const VerdictType = enumOf(
  'CheckVerdict',
  CHECK_VERDICTS,
  'OPEN until it was started and a request came, WATCHING while a fault may still show. ADVICE is allowed by the standards, but a stricter client is safer.',
);

const CheckType = builder.objectRef<Check>('Check').implement({
  description: 'What a go-live check does to your app.',
  fields: (t) =>
    forPartners({
      name: t.exposeString('name', { description: 'Stable, for programs.' }),
      title: t.exposeString('title'),
      does: t.exposeString('does', { description: 'What the hostile server does.' }),
      expects: t.exposeString('expects', { description: 'When it passes.' }),
      how: t.string({
        nullable: true,
        description: 'What you do, where it is more than a sign-in and a call of the API.',
        resolve: ({ how }) => how ?? null,
      }),
      source: t.exposeString('source', {
        description: 'The standard, or the test of the OpenID suite, that it is from.',
      }),
    }),
});

const titleOf = ({ check }: CheckResult) => CHECKS.find(({ name }) => name === check)?.title ?? check;

const ResultType = builder.objectRef<CheckResult>('CheckResult').implement({
  fields: (t) => ({
    ...forBoth({
      name: t.string({ description: 'Of the check.', resolve: ({ check }) => check }),
      verdict: t.expose('verdict', { type: VerdictType }),
      seen: t.exposeString('seen', { description: 'What was seen of the partner’s application.' }),
    }),
    ...forPartners({
      startedAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When the check was started last; null where it never was.',
        resolve: ({ startedAt }) => (startedAt === null ? null : new Date(startedAt)),
      }),
    }),
    title: t.string({ resolve: titleOf }),
    wasStarted: t.boolean({ resolve: ({ startedAt }) => startedAt !== null }),
  }),
});

/** What reviewers see of a run. */
const AttachedRunType = builder.objectRef<AttachedRun>('GoLiveCheck').implement({
  description:
    'A finished run in which the service played a hostile authorization server and API against a sandbox client of the partner.',
  fields: (t) => ({
    id: t.exposeID('id'),
    clientName: t.exposeString('clientName', { description: 'Of the sandbox client.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime' }),
    passed: t.exposeInt('passed'),
    failed: t.exposeInt('failed'),
    isStale: t.exposeBoolean('isStale', { description: 'Whether redirect URIs have changed since.' }),
    // read together with the run
    results: t.expose('results', { type: [ResultType], complexity: { field: 1, multiplier: 1 } }),
  }),
});

builder.objectFields(ClientReviewType, (t) => ({
  goLiveCheck: t.loadable({
    type: AttachedRunType,
    nullable: true,
    description:
      'The newest go-live check that the partner attached to the client; of a decided review, before the decision.',
    load: async (reviews: ClientReview[], { context }) => attachedRuns(context, reviews),
    resolve: (review) => review,
  }),
}));

const RunAddressesType = builder.objectRef<RunAddresses>('GoLiveCheckAddresses').implement({
  description: 'What you set in your test deployment, in the place of the service’s own addresses.',
  fields: (t) =>
    forPartners({
      issuer: t.exposeString('issuer'),
      discoveryUrl: t.exposeString('discoveryUrl'),
      apiUrl: t.exposeString('apiUrl'),
      rpcUrl: t.exposeString('rpcUrl', { description: 'Of Solana, for the check of listings only.' }),
      checksUrl: t.exposeString('checksUrl', { description: 'The checks as JSON, for your own test program.' }),
    }),
});

/** A client without its related objects: a call that reads both would be too large. */
const CheckedClientType = builder.objectRef<Client>('CheckedClient').implement({
  fields: (t) => forPartners({ id: t.exposeID('id'), name: t.exposeString('name') }),
});
const clientsUnder = rowsUnder(Client);

const RunType = entityType('GoLiveCheckForPartners', GoLiveRun);

const count =
  (verdict: CheckResult['verdict']) =>
  async (run: GoLiveRun, _: unknown, { context }: Call) =>
    countVerdict(await readSheet(context, run), verdict);

RunType.implement({
  description:
    'A run in which the service plays a hostile authorization server and API against a sandbox client. It lasts a day at most.',
  fields: (t) =>
    forPartners({
      id: t.exposeID('id'),
      client: t.loadable({
        type: CheckedClientType,
        description: 'The sandbox client.',
        load: clientsUnder,
        resolve: ({ client }) => client.id,
      }),
      productionClient: t.loadable({
        type: CheckedClientType,
        nullable: true,
        load: clientsUnder,
        description: 'The client whose reviews show the sheet.',
        resolve: ({ productionClient }) => productionClient?.id ?? null,
      }),
      startedAt: t.expose('startedAt', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'Null while it goes on.' }),
      isStale: t.boolean({
        description: 'Whether redirect URIs have changed since.',
        resolve: async (run, _args, { context }) => {
          const client = await context.em.findOneOrFail(Client, { id: run.client.id });
          return isStale(run, client, await reviewedRedirectUris(context, run.productionClient?.id));
        },
      }),
      addresses: t.field({
        type: RunAddressesType,
        resolve: ({ id }, _args, { context }) => runAddresses(context.config, id),
      }),
      currentCheck: t.string({
        nullable: true,
        description: 'The check that is on: sign-ins that begin now belong to it.',
        resolve: async ({ id }, _args, { context }) =>
          (await context.em.findOne(GoLiveAttempt, { run: id, endedAt: null }))?.check ?? null,
      }),
      passed: t.int({ resolve: count('passed') }),
      failed: t.int({ resolve: count('failed') }),
      results: t.field({
        type: [ResultType],
        description: 'One for each of `checks`, in their order.',
        resolve: (run, _args, { context }) => readSheet(context, run),
      }),
    }),
});

builder.queryFields((t) =>
  forPartners({
    checks: t.field({ type: [CheckType], description: 'What a go-live check checks.', resolve: () => [...CHECKS] }),
    goLiveChecks: t.connection({
      type: RunType,
      description: 'Newest first.',
      args: { attachedTo: t.arg.id({ description: 'Only those that are attached to this production client.' }) },
      resolve: async (_, { attachedTo, ...page }, call) => {
        const { context } = call;
        const client = attachedTo == null ? null : await requireOwn(context, Client, 'client', attachedTo, own(call));
        return pageOf(context, GoLiveRun, page, [own(call), client !== null && { productionClient: client }]);
      },
    }),
    goLiveCheck: t.field({
      type: RunType,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, call) =>
        call.context.em.findOne(GoLiveRun, { $and: [{ id: knownId('chk', id) }, own(call)] }),
    }),
  }),
);

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true });
  const requireRun = (call: Call, given: string, context = call.work()) =>
    requireOwn(context, GoLiveRun, 'chk', given, own(call));
  const runUnder = (call: Call, { id: run }: Pick<GoLiveRun, 'id'>) =>
    call.work().em.findOneOrFail(GoLiveRun, { id: run });
  return forPartners({
    startGoLiveCheck: t.field({
      type: RunType,
      ...CHANGE,
      description: 'Starts a run against a sandbox client, which has one at a time.',
      args: { clientId: t.arg.id({ required: true }) },
      resolve: async (_, { clientId: given }, call) => {
        const context = call.work();
        const clientId = await requireOwn(context, Client, 'client', given, own(call));
        return startRun(context, clientId, callerOf(call));
      },
    }),
    startCheck: t.field({
      type: RunType,
      ...CHANGE,
      description: 'Turns a check on, and the one before it off: then sign in with your app.',
      args: { id, check: t.arg.string({ required: true, description: 'Its name.' }) },
      resolve: async (_, { id: given, check }, call) => {
        const context = call.work();
        const run = await requireRun(call, given, context);
        await startCheck(context, run, check);
        return runUnder(call, { id: run });
      },
    }),
    endCheck: t.field({
      type: RunType,
      ...CHANGE,
      description: 'Says that your app is through with the check that is on, so that nothing has to be waited for.',
      args: { id },
      resolve: async (_, { id: given }, call) => {
        const context = call.work();
        const run = await requireRun(call, given, context);
        await endCheck(context, run);
        return runUnder(call, { id: run });
      },
    }),
    attachGoLiveCheck: t.field({
      type: RunType,
      ...CHANGE,
      description:
        'Attaches a run to a production client, once. The client’s reviews show the sheet when the run is finished.',
      args: { id, clientId: t.arg.id({ required: true, description: 'The production client.' }) },
      resolve: async (_, { id: given, clientId: client }, call) => {
        const context = call.work();
        const run = await requireRun(call, given, context);
        const clientId = await requireOwn(context, Client, 'client', client, own(call));
        return attachRun(context, run, clientId, callerOf(call));
      },
    }),
    finishGoLiveCheck: t.field({
      type: RunType,
      ...CHANGE,
      description: 'Ends a run: its addresses answer no more, and the sheet stays as it is.',
      args: { id },
      resolve: async (_, { id: given }, call) => {
        const context = call.work();
        return finishRun(context, await requireRun(call, given, context), callerOf(call));
      },
    }),
  });
});
