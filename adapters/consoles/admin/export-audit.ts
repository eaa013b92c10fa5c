import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { authorizeCall, type Call, callerOf } from '../../../schema/context.ts';
import type { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { DomainError, ERRORS, type ErrorCode } from '../../../src/platform/errors.ts';
import type { AuditFilter } from '../../../src/record/audit/audit-condition.ts';
import { exportAudit } from '../../../src/record/audit/export-audit.ts';
import { createContext, type Runtime } from '../../../src/runtime.ts';
import type { RequestContext } from '../../http/request-state.ts';
import { isCrossOrigin } from '../../http/same-origin.ts';
import { findStaff } from './find-staff.ts';
import type { CountCall } from './service-limits.ts';

type ExportFormat = 'csv' | 'json';

// PostgreSQL's text can't hold a NUL, and the audit entry of the export has the filter
const text = z
  .string()
  .regex(/^[^\0]{1,200}$/)
  .optional();
const moment = z.iso
  .datetime({ offset: true })
  .transform((written) => new Date(written))
  .refine((at) => at.getUTCFullYear() > 0)
  .optional();

/** The query of an export: the console's filter. */
const ExportQuery = z.strictObject({
  actor: text,
  action: text,
  subject: text,
  requestId: text,
  text,
  from: moment,
  to: moment,
});

/**
 * `GET {ADMIN_URL}/audit.csv` and `/audit.json`: the audit entries of a filter, newest first, as a streamed download. In
 * the CSV, a cell that a spreadsheet would take for a formula begins with an apostrophe; the JSON has every value as it is.
 */
export function auditExport(
  runtime: Runtime,
  format: ExportFormat,
  countCall: CountCall,
): (ctx: RequestContext) => Promise<void> {
  return async (ctx) => {
    // a link on another site can't make staff export
    if (isCrossOrigin(ctx, runtime.config.adminUrl)) return refuse(ctx, 403, 'Start exports from the console.');
    const { requestId } = ctx.state;
    const staff = await findStaff(createContext(runtime, requestId), ctx);
    const work = () => createContext(runtime, requestId, staff?.tokenId);
    const context = work();
    const call: Call = { context, work, viewer: staff };
    try {
      if (staff) await countCall(ctx, staff);
      await authorizeCall(call, 'audit:read', `audit.${format}`);
      // the first batch is read before the answer begins, so that a failure still has a status
      const begun = await begin(exportAudit(context, readFilter(ctx.query), format, callerOf(call)));
      ctx.attachment(`audit-${context.now().toISOString().slice(0, 10)}.${format}`);
      ctx.type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json';
      ctx.body = Readable.from(format === 'csv' ? auditAsCsv(begun) : auditAsJson(begun), { objectMode: false });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refuse(ctx, ERRORS[error.code].status, error.message, error.code);
    }
  };
}

/** The same batches, with the first one already read. */
export async function begin<Batch>(batches: AsyncGenerator<Batch>): Promise<AsyncGenerator<Batch>> {
  const first = await batches.next();
  return (async function* all() {
    if (first.done) return;
    yield first.value;
    yield* batches;
  })();
}

function readFilter(query: RequestContext['query']): AuditFilter {
  const read = ExportQuery.safeParse(query);
  if (read.success) return Object.fromEntries(Object.entries(read.data).filter(([, value]) => value !== undefined));
  const [issue] = read.error.issues;
  throw new DomainError('invalid_request', `${issue?.path.join('.') || 'query'}: ${issue?.message ?? 'invalid'}.`);
}

function refuse(ctx: RequestContext, status: number, message: string, code: ErrorCode = 'invalid_request'): void {
  ctx.status = status;
  ctx.body = { errors: [{ message, extensions: { code } }] };
}

type Batches = AsyncIterable<AuditEntry[]>;

const COLUMNS = [
  'id',
  'at',
  'actor',
  'action',
  'subject',
  'details',
  'request_id',
  'position',
  'previous_hash',
  'hash',
] as const;

/** The audit log as parts of a CSV file (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe. */
async function* auditAsCsv(batches: Batches): AsyncGenerator<string> {
  // by its byte order mark a spreadsheet reads names with accents
  yield `\ufeff${COLUMNS.join(',')}\r\n`;
  for await (const batch of batches) {
    const rows = batch.map((entry) => {
      const { details, ...row } = rowOf(entry);
      return { ...row, details: JSON.stringify(details) };
    });
    yield stringify(rows, { columns: [...COLUMNS], escape_formulas: true, record_delimiter: 'windows' });
  }
}

/** The audit log as parts of one JSON array. */
async function* auditAsJson(batches: Batches): AsyncGenerator<string> {
  yield '[';
  let separator = '\n';
  for await (const batch of batches) {
    yield separator + batch.map((entry) => JSON.stringify(rowOf(entry))).join(',\n');
    separator = ',\n';
  }
  yield '\n]\n';
}

function rowOf(entry: AuditEntry): Record<(typeof COLUMNS)[number], unknown> {
  const { actor, action, subject, details, hash = null } = entry;
  return {
    id: String(entry.id),
    at: entry.at.toISOString(),
    actor,
    action,
    subject,
    details,
    request_id: entry.requestId ?? null,
    position: entry.position == null ? null : String(entry.position),
    previous_hash: entry.previousHash ?? null,
    hash,
  };
}
