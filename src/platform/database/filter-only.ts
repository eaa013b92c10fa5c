/**
 * SQL of a condition that no partial index is chosen for. After a time with few open rows, PostgreSQL takes the partial index of open
 * rows for empty, prefers it to the index of the key that a statement names, and reads it whole, however many are open by then (D-337).
 * @param condition as `state = 'open'`
 */
export function filterOnly(condition: string): string {
  return `case when ${condition} then true else false end`;
}
