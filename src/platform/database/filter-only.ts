/**
 * SQL of a condition for which the planner chooses no partial index. After a time with few open rows, PostgreSQL estimates the partial
 * index of open rows as empty, prefers it to the index of a statement's key, and reads it whole, however many rows are open by then
 * (D-337).
 * @param condition as `state = 'open'`
 */
export function filterOnly(condition: string): string {
  return `case when ${condition} then true else false end`;
}
