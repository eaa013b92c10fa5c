import { Readable } from 'node:stream';
import type { RouterContext } from '@koa/router';
import { authorizeCall, type Call, callerOf } from '../../../schema/context.ts';
import { ImportFailure, ImportRun } from '../../../src/entities/import-run.ts';
import { type Failure, readFailures } from '../../../src/inventory/import/failures.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { knownId, nothingUnder } from '../../../src/platform/identifier/known-id.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import { recordAudit } from '../../../src/record/audit/record-audit.ts';
import { createContext, type Runtime } from '../../../src/runtime.ts';
import { checkRevealed } from '../../../src/sign-in/fan/reveal-phone.ts';
import type { RequestState } from '../../http/request-state.ts';
import { isCrossOrigin } from '../../http/same-origin.ts';
import { findStaff } from './find-staff.ts';
import { type ImportProgress, refuseCall } from './import-endpoint.ts';
import type { CountCall } from './service-limits.ts';

type RunHandler = (ctx: RouterContext<RequestState>) => Promise<void>;

/** `GET {ADMIN_URL}/import/{run}`: the progress of a run, for callers who may import. */
export function importStateEndpoint(runtime: Runtime, countCall: CountCall): RunHandler {
  return (ctx) =>
    answerAbout(runtime, ctx, countCall, async (_, run) => {
      const { id, state, lines, created, updated, unchanged, stale, failed, message } = run;
      const progress: ImportProgress = { run: id, state, lines, created, updated, unchanged, stale, failed };
      ctx.body = { ...progress, ...(message != null && { message }) };
    });
}

/**
 * `GET {ADMIN_URL}/import/{run}/failures`: the failed rows as NDJSON, each as it was given, with `_line`, `_reason` and `_message`
 * beside its members: once corrected, the file can be imported. For callers who may import, also from the console. A caller who reveals
 * many phone numbers has to give a `?reason=`.
 */
export function importFailuresEndpoint(runtime: Runtime, countCall: CountCall): RunHandler {
  return (ctx) =>
    answerAbout(runtime, ctx, countCall, async (call, { id, actor: sender }) => {
      const { context } = call;
      const { reason } = ctx.query;
      const bulkReason = Array.isArray(reason) ? reason[0] : reason;
      const actor = callerOf(call);
      await context.em.transactional(async (em) => {
        // a line that is no row may have a number too; the caller who sent the file has seen all of them
        const withNumber = { run: id, $or: [{ kind: 'ticket' }, { kind: null }] };
        const numbers = actor === sender ? 0 : await em.count(ImportFailure, withNumber);
        const reasons = await checkRevealed(em, { actor, numbers, bulkReason }, context.now());
        const details = { numbers, ...reasons };
        recordAudit({ ...context, em }, { actor, action: 'import_run.failures_exported', subject: id, details });
      });
      ctx.attachment(`failures-${id}.ndjson`);
      ctx.type = 'application/x-ndjson';
      ctx.body = Readable.from(asLines(readFailures(context.pool, id)), { objectMode: false });
    });
}

async function answerAbout(
  runtime: Runtime,
  ctx: RouterContext<RequestState>,
  countCall: CountCall,
  answer: (call: Call, run: ImportRun) => Promise<void>,
): Promise<void> {
  try {
    const { requestId } = ctx.state;
    const staff = await findStaff(createContext(runtime, requestId), ctx);
    const work = () => createContext(runtime, requestId, staff?.tokenId);
    const call: Call = { context: work(), work, viewer: staff };
    if (isCrossOrigin(ctx, runtime.config.adminUrl)) {
      throw new DomainError('forbidden', 'Start downloads from the console.');
    }
    if (staff) await countCall(ctx, staff);
    await authorizeCall(call, 'inventory:write', 'import');
    await answer(call, await findRun(call, String(ctx.params.run)));
  } catch (error) {
    refuseCall(ctx, runtime, error);
  }
}

async function findRun({ context }: Call, text: string): Promise<ImportRun> {
  const id: Id<'imp'> = knownId('imp', text);
  const run = await context.em.findOne(ImportRun, { id });
  if (!run) throw nothingUnder('imp', id);
  return run;
}

async function* asLines(batches: AsyncIterable<Failure[]>): AsyncGenerator<string> {
  for await (const failures of batches) yield failures.map((failure) => `${lineOf(failure)}\n`).join('');
}

function lineOf({ line, reason, message, row }: Failure): string {
  const value: unknown = JSON.parse(row);
  const members = typeof value === 'object' && value !== null ? value : { _text: value };
  return JSON.stringify({ ...members, _line: line, _reason: reason, _message: message });
}
