/** SQLSTATE classes: data exception, constraint violation, raised by a trigger, limit exceeded. */
const ROW_FAULTS = /^(22|23|P0|54)/;

/** Whether PostgreSQL refused a statement for the data in a row: the row would fail again, and others may pass. */
export function isRowFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ROW_FAULTS.test(String(error.code));
}
