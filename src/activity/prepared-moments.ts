import type { QueryResultRow } from 'pg';
import { type Prepared, prepared } from '../database/prepared.ts';

/**
 * As `prepared`, with moments as dates: on the ORM's pool they come as text.
 * @param moments the columns that are moments
 */
export function preparedMoments<Row extends QueryResultRow>(
  text: string,
  ...moments: (keyof Row & string)[]
): Prepared<Row> {
  const statement = prepared<Row>(text);
  return async (database, values) => {
    const rows = await statement(database, values);
    return rows.map((row) => ({ ...row, ...Object.fromEntries(moments.map((name) => [name, momentOf(row[name])])) }));
  };
}

function momentOf(value: unknown): Date | null {
  return value === null ? null : new Date(value as string | Date);
}
