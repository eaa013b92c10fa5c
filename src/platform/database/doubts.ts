/**
 * Which calls of which process do not know whether their work is done, because the database's answer to it was lost (D-226). Each
 * process knows it of its own calls only; the others ask it, by way of its row in the database.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { prepared } from './prepared.ts';

/** A call that has done something that can be done once. */
export interface DoneCall {
  /** Null where a release before this one did it. */
  id: string | null;
  /** The process that ran it. */
  process: string | null;
  at: Date;
}

export interface Doubts {
  /** This process. */
  readonly process: string;
  readonly patience: Patience;
  /** Notes a call that is about to ask the database. */
  begin(id: string): void;
  /** The call knows its outcome. */
  settle(id: string): void;
  /** The call has to end without knowing its outcome. */
  leave(id: string): void;
  /** Whether whoever made the call does not know that its work was done: its process says so, or is gone without a word. */
  concern(call: DoneCall, now: Date): Promise<boolean>;
  /** Answers the other processes. Called every second. */
  answer(now: Date): Promise<void>;
  /** Says that this process has ended, and what it leaves in doubt. */
  end(now: Date): Promise<void>;
}

/** Times in ms. */
export interface Patience {
  /** How long a call looks for what became of its work, counted from its beginning. */
  lookMs: number;
  /** How long to wait for the word of another process. */
  wordMs: number;
}

/** The part of a context that knows what is in doubt. */
export interface WithDoubts {
  doubts: Doubts;
}

/** How long a call may be repeated, counted from when the database could be told. */
export const REPEATABLE_FOR_MS = 60_000;
const ASK_EVERY_MS = 200;
const LOOK_EVERY_MS = 20;
/** A call that takes longer than this may have lost its answer. */
const SLOW_MS = 1_000;
const SEEN_EVERY_MS = 60_000;

const readAsked = prepared<{ asked: number }>('select asked from service_process where id = $1');
/** A row that is a day old is of a process that was killed. */
const writeAnswer = prepared(`
  with gone as (
    delete from service_process where seen_at < $4::timestamptz - interval '1 day' and id <> $1
  )
  insert into service_process (id, asked, answered, doubtful, seen_at, ended_at) values ($1, $2, $2, $3, $4, $5)
  on conflict (id) do update
  set answered = excluded.answered, doubtful = excluded.doubtful, seen_at = excluded.seen_at, ended_at = excluded.ended_at`);
const ask = prepared<{ asked: number; ended_at: number | null }>(`
  update service_process set asked = asked + 1 where id = $1
  returning asked, extract(epoch from ended_at)::float8 * 1000 as ended_at`);
const readDoubt = prepared<{ answered: number; doubtful: boolean }>(
  'select answered, $2 = any(doubtful) as doubtful from service_process where id = $1',
);

export function createDoubts(
  { pool }: { pool: Pool },
  { lookMs = 3_000, wordMs = 5_000, repeatableForMs = REPEATABLE_FOR_MS } = {},
): Doubts {
  const patience = { lookMs, wordMs };
  const process = randomUUID();
  const running = new Set<string>();
  /** Calls that ended without knowing, and since when the others can know of it. */
  const left = new Map<string, { writtenAt?: number }>();
  let answered = 0;
  let writtenAt = Number.NEGATIVE_INFINITY;

  /** Gives calls that have just begun the time to end. @returns those that have not */
  async function stillRunning(ids: string[]): Promise<string[]> {
    const until = performance.now() + SLOW_MS;
    while (ids.some((id) => running.has(id)) && performance.now() < until) await sleep(LOOK_EVERY_MS);
    return ids.filter((id) => running.has(id));
  }

  function forgetOld(): void {
    for (const [id, { writtenAt: at }] of left) {
      if (at !== undefined && performance.now() - at > repeatableForMs) left.delete(id);
    }
  }

  async function write(asked: number, doubtful: string[], now: Date, endedAt: Date | null): Promise<void> {
    await writeAnswer(pool, [process, asked, doubtful, now, endedAt]);
    answered = asked;
    writtenAt = performance.now();
    for (const id of doubtful) {
      const doubt = left.get(id);
      if (doubt) doubt.writtenAt ??= writtenAt;
    }
  }

  return {
    process,
    patience,
    begin: (id) => running.add(id),
    settle: (id) => running.delete(id),
    leave(id) {
      running.delete(id);
      left.set(id, {});
    },
    async concern({ id, process: by, at }, now) {
      if (id === null || by === null) return false;
      if (by === process) {
        const [slow] = await stillRunning([id]);
        forgetOld();
        return slow !== undefined || left.has(id);
      }
      const isRecent = (moment: number) => now.getTime() - moment < repeatableForMs;
      const [question] = await ask(pool, [by]);
      if (question === undefined) return false;
      for (const until = performance.now() + patience.wordMs; performance.now() < until; await sleep(ASK_EVERY_MS)) {
        const [answer] = await readDoubt(pool, [by, id]);
        if (question.ended_at !== null) return isRecent(question.ended_at) && answer?.doubtful === true;
        if (answer !== undefined && answer.answered >= question.asked) return answer.doubtful;
      }
      return isRecent(at.getTime());
    },
    async answer(now) {
      forgetOld();
      const [row] = await readAsked(pool, [process]);
      const asked = row?.asked ?? 0;
      const isDue = row === undefined || performance.now() - writtenAt > SEEN_EVERY_MS;
      if (asked === answered && !isDue) return;
      const slow = await stillRunning([...running]);
      await write(asked, [...left.keys(), ...slow], now, null);
    },
    end: (now) => write(answered, [...left.keys()], now, now),
  };
}
