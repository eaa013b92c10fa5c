import type { Context } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import type { Mode } from '../../platform/mode.ts';

/** The permits of a mode that wait to be issued. */
export interface Backlog {
  waiting: number;
  /** Of those, tried and refused: they wait for their next try. */
  setAside: number;
  /** Since when the oldest of the others waits; null where none does. */
  oldest: Date | null;
}

const read = preparedWithDates<{ [column: string]: unknown } & Backlog>(`
  select count(*)::int as waiting, (count(*) filter (where tries > 0))::int as "setAside",
    min(since) filter (where tries = 0) as oldest
  from waiting_permit where mode = $1 and signature is null`);

/** Reads the backlog. It grows with what waits, and not with what is issued. */
export async function readBacklog({ pool }: Pick<Context, 'pool'>, mode: Mode): Promise<Backlog> {
  const [row] = await read(pool, [mode]);
  return row ?? { waiting: 0, setAside: 0, oldest: null };
}
