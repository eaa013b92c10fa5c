import { PassThrough } from 'node:stream';
import { z } from 'zod';
import { authorizeCall, type Call, callerOf, isMember } from '../../../schema/context.ts';
import { IMPORT_SOURCES, type ImportFormat } from '../../../src/entities/import-run.ts';
import { importRows, takeSlot } from '../../../src/inventory/import/import-rows.ts';
import { beginRun, type LeasedRun, takeRun } from '../../../src/inventory/import/run-record.ts';
import { DomainError, ERRORS } from '../../../src/platform/errors.ts';
import { createContext, type Runtime, type ServiceContext } from '../../../src/runtime.ts';
import { programIdOf } from '../../../src/tickets/ticket/onchain-ids.ts';
import { serverError } from '../../http/dependency.ts';
import { refuseCoding } from '../../http/read-body.ts';
import { RequestError } from '../../http/request-error.ts';
import type { RequestContext } from '../../http/request-state.ts';
import { liftTimeLimit } from '../../http/request-time.ts';
import { findByBearer } from './find-staff.ts';
import type { CountCall } from './service-limits.ts';

const FORMATS: Readonly<Record<string, ImportFormat>> = {
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
};
const PROGRESS_MS = 1_000;

const ImportQuery = z.strictObject({
  /** The run to continue. */
  run: z.string().max(90).optional(),
  /** Name of the file. */
  name: z
    .string()
    .max(200)
    .regex(/^[^\0]*$/)
    .optional(),
  via: z.enum(IMPORT_SOURCES).optional(),
});

/** One line of the answer: how far the run is. */
export interface ImportProgress {
  run: string;
  state: 'running' | 'finished' | 'interrupted';
  lines: number;
  created: number;
  updated: number;
  unchanged: number;
  stale: number;
  failed: number;
  /** Why it was interrupted. */
  message?: string;
}

/**
 * `POST {ADMIN_URL}/import`: reads a file of inventory rows as it arrives, and meanwhile answers with lines of progress. The last line
 * is the summary. Requires a bearer token.
 */
export function importEndpoint(runtime: Runtime, countCall: CountCall): (ctx: RequestContext) => Promise<void> {
  return async (ctx) => {
    try {
      const { requestId } = ctx.state;
      const caller = await findByBearer(createContext(runtime, requestId), ctx);
      const work = () => createContext(runtime, requestId, caller?.tokenId);
      const context = work();
      const call: Call = { context, work, viewer: caller };
      const format = await admit(ctx, call, countCall);
      const { run: runId, name: fileName, via: source = 'http' } = readQuery(ImportQuery, ctx.query);
      const actor = callerOf(call);
      const giveBack = takeSlot(context);
      try {
        const run =
          runId === undefined
            ? await beginRun(context, { source, format, fileName, actor })
            : await takeRun(context, runId, actor, 'import_run.resumed', format);
        liftTimeLimit(ctx.req);
        // the import continues after this handler, which leaves the answer open
        void stream(ctx, context, run, actor).finally(giveBack);
      } catch (error) {
        giveBack();
        throw error;
      }
    } catch (error) {
      refuseCall(ctx, runtime, error);
    }
  };
}

/** @returns the format of the file @throws DomainError, RequestError before anything is read */
async function admit(ctx: RequestContext, call: Call, countCall: CountCall): Promise<ImportFormat> {
  const { viewer } = call;
  if (viewer === undefined || isMember(viewer)) {
    throw new DomainError('sign_in_required', 'Send the token of a service account: Authorization: Bearer sv_…');
  }
  await countCall(ctx, viewer);
  await authorizeCall(call, 'inventory:write', 'import');
  const type = ctx.is(Object.keys(FORMATS));
  const format = typeof type === 'string' ? FORMATS[type] : undefined;
  if (format === undefined) throw new RequestError(415, `Content-Type must be ${Object.keys(FORMATS).join(' or ')}.`);
  refuseCoding(ctx);
  // otherwise every batch would fail
  programIdOf(call.context.config, 'production');
  return format;
}

/** The query of a call. @throws DomainError `invalid_request` that names the parameter */
export function readQuery<Shape extends z.ZodType>(shape: Shape, query: RequestContext['query']): z.output<Shape> {
  const read = shape.safeParse(query);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new DomainError('invalid_request', `${issue?.path.join('.') || 'query'}: ${issue?.message ?? 'invalid'}.`);
}

/** Imports the body and writes the progress: every second while the caller reads it, and at the end. */
async function stream(ctx: RequestContext, context: ServiceContext, run: LeasedRun, actor: string): Promise<void> {
  const lines = new PassThrough();
  ctx.status = 200;
  ctx.type = 'application/x-ndjson';
  // a proxy must not buffer the progress
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = lines;
  const write = (state: ImportProgress['state'], message?: string) => {
    if (lines.destroyed || (state === 'running' && lines.writableNeedDrain)) return;
    const progress: ImportProgress = { run: run.id, state, lines: run.lines, ...run.counts };
    lines.write(`${JSON.stringify({ ...progress, ...(message !== undefined && { message }) })}\n`);
  };
  write('running');
  let writtenAt = performance.now();
  const report = () => {
    if (performance.now() - writtenAt < PROGRESS_MS) return;
    writtenAt = performance.now();
    write('running');
  };
  try {
    const message = await importRows(context, run, ctx.req, { actor, report });
    write(message === undefined ? 'finished' : 'interrupted', message);
    lines.end();
  } catch (err) {
    // the end of the run could not be stored: the run is found dead later
    context.log.error({ err, run: run.id }, 'the end of an import could not be stored');
    lines.destroy();
  }
  // the part that a stopped import has not read would keep the connection open
  if (!ctx.req.complete) ctx.req.resume();
}

/** Answers with the refusal, or that the service is unavailable. @throws RequestError, which the surface answers */
export function refuseCall(ctx: RequestContext, { log }: Pick<Runtime, 'log'>, error: unknown): void {
  if (error instanceof RequestError) throw error;
  if (!(error instanceof DomainError)) log.error({ err: error }, 'a call of the inventory failed');
  const { status, code, message, retryAfter } =
    error instanceof DomainError ? { ...refusalOf(error), status: ERRORS[error.code].status } : serverError(error);
  ctx.status = status;
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
  ctx.state.outcome = code;
  ctx.body = { errors: [{ message, extensions: { code } }] };
}

function refusalOf({ code, message, retryAfter }: DomainError) {
  return { code, message, retryAfter };
}
