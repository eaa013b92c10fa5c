/** A field that an audited edit changed. */
export interface AuditChange {
  field: string;
  /** Undefined where the field was missing. */
  before: unknown;
  after: unknown;
}

/** The changed fields, from `before` and `after` in the details of an entry. */
export function changesOf(details: Record<string, unknown>): AuditChange[] {
  const { before, after } = details;
  if (!isObject(before) || !isObject(after)) return [];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .map((field) => ({ field, before: before[field], after: after[field] }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
