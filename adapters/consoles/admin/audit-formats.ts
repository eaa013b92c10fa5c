import { stringify } from 'csv-stringify/sync';
import type { AuditEntry } from '../../../src/entities/audit-entry.ts';

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
export async function* auditAsCsv(batches: Batches): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const batch of batches) {
    const rows = batch.map((entry) => {
      const { details, ...row } = rowOf(entry);
      return { ...row, details: JSON.stringify(details) };
    });
    yield stringify(rows, { columns: [...COLUMNS], escape_formulas: true, record_delimiter: 'windows' });
  }
}

/** The audit log as parts of one JSON array. */
export async function* auditAsJson(batches: Batches): AsyncGenerator<string> {
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
