/** SQLSTATE classes: data exception, constraint violation, raised by a trigger, limit exceeded. */
const ROW_FAULTS = /^(22|23|P0|54)/;

/**
 * Whether PostgreSQL refused a statement for what is in a row, so that the same row fails again and the others may pass. A
 * database that is away, a deadlock or a time limit is none.
 */
export function isRowFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ROW_FAULTS.test(String(error.code));
}
