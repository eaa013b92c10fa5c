import type { TestApp } from './start-app.ts';

/** How many connections to the app's database wait for a lock at the moment. */
export async function waitingForALock(app: TestApp): Promise<number | undefined> {
  const [row] = await app
    .context()
    .em.execute<{ count: number }[]>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  return row?.count;
}
