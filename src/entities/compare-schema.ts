import type { Pool } from 'pg';
import { BASELINE, MIGRATIONS } from './migrations/all.ts';

/** How a database and this code differ. */
export interface SchemaDifference {
  /** Migrations of this code that the database has not had. */
  missing: string[];
  /** Migrations of the database that this code does not know: a newer release made them. */
  unknown: string[];
}

/**
 * Reads which migrations a database has had, and creates nothing.
 * @throws Error where they are of a time before the first release
 */
export async function compareSchema(pool: Pool): Promise<SchemaDifference> {
  const executed = new Set(await readExecuted(pool));
  if (executed.size > 0 && !executed.has(BASELINE)) throw new Error(START_OVER);
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  return {
    missing: [...known].filter((name) => !executed.has(name)),
    unknown: [...executed].filter((name) => !known.has(name)),
  };
}

const START_OVER =
  'The database is from before the first release and cannot be migrated. Start over: delete the folder .data, or give DATABASE_URL an empty database.';

/** What to say where migrations are missing: the code would fail at its first statement. */
export function describeOldSchema(missing: readonly string[]): string {
  const state =
    missing.length === MIGRATIONS.length
      ? 'The database has no schema yet.'
      : `The database’s schema is too old for this release: it lacks ${missing.join(', ')}.`;
  return `${state} Run npm run migrate first, or set MIGRATE_ON_START=true.`;
}

const UNDEFINED_TABLE = '42P01';

/** From the ORM's own table. */
async function readExecuted(pool: Pool): Promise<string[]> {
  try {
    const { rows } = await pool.query<{ name: string }>('select name from public.mikro_orm_migrations order by id');
    return rows.map(({ name }) => name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return [];
    throw error;
  }
}
