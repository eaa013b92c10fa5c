import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { createDoubts, type Doubts } from '../../../../src/platform/database/doubts.ts';
import { createDatabase } from '../../../support/database.ts';

/** D-226: what one process says of a call of another. */
const MINUTE = 60_000;
const database = await createDatabase();
const pool = new pg.Pool({ connectionString: database.url });
/** A process whose row is in the database. */
async function startProcess(): Promise<Doubts> {
  const started = createDoubts({ pool }, { wordMs: 600 });
  await started.answer(new Date());
  return started;
}
function leaveOne(by: Doubts): string {
  const id = crypto.randomUUID();
  by.begin(id);
  by.leave(id);
  return id;
}
const callOf = (by: Doubts, id: string | null, at = new Date()) => ({ id, process: by.process, at });
const later = (ms: number) => new Date(Date.now() + ms);

afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('D-226: a call of another process', () => {
  it('is in doubt where that process says so, and not where it says nothing of it', async () => {
    const [first, second] = [await startProcess(), await startProcess()];
    const id = leaveOne(first);
    let isOver = false;
    const answering = (async () => {
      while (!isOver) await first.answer(new Date()).then(() => sleep(20));
    })();
    expect(await second.concern(callOf(first, id), new Date())).toBe(true);
    expect(await second.concern(callOf(first, crypto.randomUUID()), new Date())).toBe(false);
    isOver = true;
    await answering;
  });

  it('is in doubt for a minute where that process is not heard of', async () => {
    const [first, second] = [await startProcess(), await startProcess()];
    const call = callOf(first, crypto.randomUUID());
    expect(await second.concern(call, later(MINUTE - 5_000))).toBe(true);
    expect(await second.concern(call, later(MINUTE + 1_000))).toBe(false);
  });

  it('is in doubt for a minute where that process left it so at its end, and no other call of it is', async () => {
    const [first, second] = [await startProcess(), await startProcess()];
    const id = leaveOne(first);
    await first.end(new Date());
    expect(await second.concern(callOf(first, id), new Date())).toBe(true);
    expect(await second.concern(callOf(first, crypto.randomUUID()), new Date())).toBe(false);
    expect(await second.concern(callOf(first, id), later(MINUTE + 1_000))).toBe(false);
  });

  it('of a release that did not name its calls, or of a process that nobody knows, is in no doubt', async () => {
    const [first, second] = [await startProcess(), await startProcess()];
    expect(await second.concern(callOf(first, null), new Date())).toBe(false);
    const unknown = { id: crypto.randomUUID(), process: crypto.randomUUID(), at: new Date() };
    expect(await second.concern(unknown, new Date())).toBe(false);
  });
});
