import { IMPORT_STATES, ImportFailure, ImportRun } from '../src/entities/import-run.ts';
import { causesOf, type FailureCause, maskRow } from '../src/inventory/import/failures.ts';
import { rerunFailures } from '../src/inventory/import/import-rows.ts';
import { MOST_MENDED, mendFailures } from '../src/inventory/import/mend-failures.ts';
import { DomainError } from '../src/platform/errors.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { NAME } from './audit-names.ts';
import { builder, enumOf, mutation, right } from './builder.ts';
import { type Call, callerOf } from './context.ts';
import { type PageArguments, pageOf } from './lists.ts';
import { entityType, queryById } from './loaders.ts';
import { AgeSort, OLDEST_FIRST } from './sorts.ts';

const ImportStateType = enumOf(
  'ImportState',
  IMPORT_STATES,
  '`INTERRUPTED`: its connection broke off or its process ended; the same file goes on with it.',
);

const ImportFailureType = builder.objectRef<ImportFailure>('ImportFailure').implement({
  description: 'A row of an import that failed. Kept for 30 days.',
  fields: (t) => ({
    id: t.id({ resolve: ({ line }) => String(line) }),
    line: t.exposeInt('line', { description: 'In the file, from 1.' }),
    kind: t.exposeString('kind', { nullable: true }),
    reference: t.exposeString('reference', { nullable: true }),
    reason: t.exposeString('reason', { description: 'Stable, for programs: `unknown_event`, `invalid_row`, …' }),
    message: t.exposeString('message', { description: 'For people.' }),
    row: t.field({
      type: 'JSON',
      description:
        'As it was given, with phone numbers masked; null for a line that is no row. Those who may import can download it in full.',
      nullable: true,
      resolve: ({ row }) => maskRow(JSON.parse(row)),
    }),
  }),
});

const ImportCauseType = builder.objectRef<FailureCause>('ImportCause').implement({
  description: 'Failed rows with the same message.',
  fields: (t) => ({
    reason: t.exposeString('reason', { description: 'As of a failure.' }),
    message: t.exposeString('message', { description: 'For people. It names what is missing.' }),
    rows: t.exposeInt('rows'),
    line: t.exposeInt('line', { description: 'Of the first one.' }),
  }),
});

const ImportRunType = entityType('ImportRun', ImportRun);

/** Failures are listed in the order of the file. */
const LINE = { property: 'line', valueOf: (failure: object) => String((failure as ImportFailure).line) };

ImportRunType.implement({
  description: 'One file of inventory rows.',
  fields: (t) => ({
    id: t.exposeID('id'),
    state: t.expose('state', { type: ImportStateType }),
    source: t.exposeString('source', { description: '`http` or `cli`.' }),
    format: t.exposeString('format', { description: '`ndjson` or `csv`.' }),
    fileName: t.exposeString('fileName', { nullable: true }),
    actor: t.exposeString('actor', { description: 'Who imported it, as audit entries name them.' }),
    actorName: t.loadable({ ...NAME, resolve: ({ actor }) => actor }),
    lines: t.exposeInt('lines', { description: 'Of the file, so far.' }),
    created: t.exposeInt('created'),
    updated: t.exposeInt('updated'),
    unchanged: t.exposeInt('unchanged'),
    stale: t.exposeInt('stale', { description: 'Rows of which a newer version is stored.' }),
    failed: t.exposeInt('failed', { description: 'Rows that have failed and not succeeded since.' }),
    receivedAll: t.exposeBoolean('receivedAll', { description: 'Whether the end of the file has come.' }),
    interruption: t.exposeString('message', { nullable: true, description: 'Why it was interrupted.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime' }),
    heartbeatAt: t.expose('heartbeatAt', { type: 'DateTime', description: 'When it last made progress.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    causes: t.field({
      type: [ImportCauseType],
      description: 'Why rows failed, the most frequent cause first: at most 20 causes of the first 10,000 rows.',
      resolve: ({ id }, _, { context }) => causesOf(context, id),
    }),
    failures: t.connection({
      type: ImportFailureType,
      description: 'In the order of the file.',
      args: { cause: t.arg.string({ description: 'Only those with this message.' }) },
      resolve: ({ id }, { cause, ...args }, { context }) =>
        pageOf(
          context,
          ImportFailure,
          { ...withLineCursors(args), sort: OLDEST_FIRST },
          [{ run: id }, cause && { message: cause }],
          LINE,
        ),
    }),
  }),
});

queryById('importRun', ImportRunType, ImportRun, 'imp');

builder.queryFields((t) => ({
  importRuns: t.connection({
    type: ImportRunType,
    authScopes: right('console:read'),
    args: { state: t.arg({ type: ImportStateType }), sort: t.arg({ type: AgeSort }) },
    resolve: (_, { state, ...page }, { context }) => pageOf(context, ImportRun, page, [state && { state }]),
  }),
}));

builder.mutationFields((t) => ({
  mendFailures: t.field({
    type: ImportRunType,
    ...mutation('tickets:take'),
    description: `Puts up to ${MOST_MENDED.toLocaleString('en')} mended rows in place of those that failed, and applies the failed rows once more, in the background.`,
    args: {
      runId: t.arg.id({ required: true }),
      rows: t.arg({ type: ['JSON'], required: true, description: 'As downloaded, each with its `_line`.' }),
      reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }),
    },
    resolve: async (_, request, call) => {
      await mendFailures(call.work(), request, callerOf(call));
      return rerun(call, request.runId);
    },
  }),
  rerunFailures: t.field({
    type: ImportRunType,
    ...mutation('inventory:write'),
    description: 'Applies the failed rows of a run once more, in the background. Its state says when that has ended.',
    args: { runId: t.arg.id({ required: true }) },
    resolve: (_, { runId }, call) => rerun(call, runId),
  }),
}));

async function rerun(call: Call, runId: string): Promise<ImportRun> {
  const context = call.work();
  const id = knownId('imp', runId);
  await rerunFailures(context, id, callerOf(call));
  return context.em.fork().findOneOrFail(ImportRun, { id });
}

/** @throws DomainError `invalid_request` for a cursor that is no line number */
function withLineCursors(args: PageArguments): PageArguments {
  for (const cursor of [args.after, args.before]) {
    if (cursor != null && !/^\d{1,9}$/.test(cursor)) {
      throw new DomainError('invalid_request', 'The cursor belongs to another list.');
    }
  }
  return args;
}
