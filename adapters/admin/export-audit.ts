import { Readable } from 'node:stream';
import type { Context as Koa } from 'koa';
import { z } from 'zod';
import { authorizeCall, callerOf, type StaffCall } from '../../schema/context.ts';
import type { AuditFilter } from '../../src/audit/audit-condition.ts';
import { exportAudit } from '../../src/audit/export-audit.ts';
import { DomainError, type DomainErrorCode } from '../../src/errors.ts';
import { createContext, type Runtime } from '../../src/runtime.ts';
import type { RequestState } from '../http/request-id.ts';
import { isCrossOrigin } from '../http/same-origin.ts';
import { auditAsCsv, auditAsJson } from './audit-formats.ts';
import { staffOf } from './staff-of.ts';

export type ExportFormat = 'csv' | 'json';

// no entry has a NUL, and the record of the export could not hold one
const text = z
  .string()
  .regex(/^[^\0]{1,200}$/)
  .optional();
const moment = z.iso
  .datetime({ offset: true })
  .transform((written) => new Date(written))
  .refine((at) => at.getUTCFullYear() > 0)
  .optional();

/** The query of an export: what the console's filter says. */
const ExportQuery = z.strictObject({
  actor: text,
  action: text,
  subject: text,
  requestId: text,
  text,
  from: moment,
  to: moment,
});

const STATUS: Partial<Record<DomainErrorCode, number>> = {
  sign_in_required: 401,
  forbidden: 403,
  invalid_request: 400,
};

/**
 * `GET {ADMIN_URL}/audit.csv` and `/audit.json`: the audit log as far as a filter goes, newest first, as a download that
 * is written while it is read. In the CSV, a cell that a spreadsheet would take for a formula begins with an apostrophe;
 * the JSON has every value as it is.
 */
export function auditExport(runtime: Runtime, format: ExportFormat): (ctx: Koa) => Promise<void> {
  return async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    // a link on another site can't make a member of staff export
    if (isCrossOrigin(ctx, runtime.config.adminUrl)) return refuse(ctx, 403, 'Exports begin in the console.');
    const { requestId } = ctx.state as RequestState;
    const staff = await staffOf(createContext(runtime, requestId), ctx);
    const work = () => createContext(runtime, requestId, staff?.tokenId);
    const context = work();
    const call: StaffCall = { context, work, staff };
    try {
      await authorizeCall(call, 'audit:read', `audit.${format}`);
      // the first batch is read before anything is answered, so that a failure is still one
      const begun = await begin(exportAudit(context, readFilter(ctx.query), format, callerOf(call)));
      ctx.attachment(`audit-${context.now().toISOString().slice(0, 10)}.${format}`);
      ctx.type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json';
      ctx.body = Readable.from(format === 'csv' ? auditAsCsv(begun) : auditAsJson(begun), { objectMode: false });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refuse(ctx, STATUS[error.code] ?? 400, error.message, error.code);
    }
  };
}

/** The same batches, the first of which has been read. */
async function begin<Batch>(batches: AsyncGenerator<Batch>): Promise<AsyncGenerator<Batch>> {
  const first = await batches.next();
  return (async function* all() {
    if (first.done) return;
    yield first.value;
    yield* batches;
  })();
}

function readFilter(query: Koa['query']): AuditFilter {
  const read = ExportQuery.safeParse(query);
  if (read.success) return Object.fromEntries(Object.entries(read.data).filter(([, value]) => value !== undefined));
  const [issue] = read.error.issues;
  throw new DomainError('invalid_request', `${issue?.path.join('.') || 'query'}: ${issue?.message ?? 'invalid'}.`);
}

function refuse(ctx: Koa, status: number, message: string, code = 'invalid_request'): void {
  ctx.status = status;
  ctx.body = { errors: [{ message, extensions: { code } }] };
}
