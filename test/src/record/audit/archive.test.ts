import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { detachMonth, exportMonths, readMonthFile, verifyFiles } from '../../../../src/record/audit/archive-audit.ts';
import { sealAudit } from '../../../../src/record/audit/seal-audit.ts';
import { verifyAudit } from '../../../../src/record/audit/verify-audit.ts';
import { testApp } from '../../../support/test-app.ts';
import { testFolder } from '../../../support/test-folder.ts';

// D-355

const app = await testApp();
const root = await testFolder();
const intruder = new pg.Client({ connectionString: app.config.databaseUrl });
await intruder.connect();
afterAll(() => intruder.end());
let context: ReturnType<typeof app.context>;
let folder: string;

/** What only an administrator of the database can do: get around the trigger. */
async function tamper(statement: string): Promise<void> {
  await intruder.query('set session_replication_role = replica');
  await intruder.query(statement);
  await intruder.query('set session_replication_role = origin');
}

/** Entries at these times, in this order. */
async function write(...times: string[]): Promise<void> {
  for (const at of times) {
    await intruder.query(
      `insert into audit_entry (at, actor, action, subject, details) values ($1, 'staff:x', 'test.done', 's', '{"b": [1, "é\\n"], "a": null}')`,
      [at],
    );
  }
}

async function seal(): Promise<void> {
  while ((await sealAudit(context)) > 0);
}

async function exported() {
  const months = [];
  for await (const month of exportMonths(context, folder)) months.push(month);
  return months;
}

const fileOf = (month: string) => join(folder, `audit-${month}.ndjson`);
const positions = async () =>
  (
    await intruder.query<{ position: string }>(
      'select position from audit_entry where position is not null order by position',
    )
  ).rows.map(({ position }) => Number(position));

/** Three months of 2024, of which the third follows a month without an entry; the last entry of February was sealed in March. */
const TIMES = ['01-05', '01-31', '02-01', '02-20', '04-01', '02-29', '04-30'].map((day) => `2024-${day}T10:00:00Z`);

let count = 0;
beforeEach(async () => {
  await tamper('truncate audit_entry restart identity');
  // what a process knows beside the database, it knows by its pool
  context = { ...app.context(), pool: Object.create(app.runtime.pool) };
  folder = join(root, String(count++));
  await mkdir(folder);
  await write(...TIMES);
  await seal();
});

describe('the export of the audit log', () => {
  it('writes each month that is over to a file, whole and with its chain, and says so in the log', async () => {
    await write(new Date().toISOString());
    await seal();
    const months = await exported();
    expect(months.map(({ month, first, last, entries }) => [month, first, last, entries])).toEqual([
      ['2024-01', '1', '2', 2],
      ['2024-02', '3', '4', 2],
      ['2024-04', '5', '7', 3],
    ]);
    const lines = (await readFile(fileOf('2024-04'), 'utf8')).trimEnd().split('\n');
    const entries = await app
      .context()
      .em.find(AuditEntry, { position: { $gte: '5', $lte: '7' } }, { orderBy: { id: 'asc' } });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      entries.map(({ at, actor, details, hash, previousHash }) => ({
        at: at.toISOString(),
        actor,
        details,
        hash,
        previousHash,
      })),
    );
    expect((await stat(fileOf('2024-04'))).mode & 0o777).toBe(0o600);
    const recorded = await app.context().em.find(AuditEntry, { action: 'audit.archived' }, { orderBy: { id: 'asc' } });
    expect(recorded.map(({ details }) => details)).toEqual(months.map(({ file: _, ...details }) => details));
  });

  it('writes each month once, also over several runs', async () => {
    expect(await exported()).toHaveLength(3);
    expect(await exported()).toEqual([]);
  });

  it('overwrites no file', async () => {
    await writeFile(fileOf('2024-01'), 'mine');
    await expect(exported()).rejects.toThrow('EEXIST');
    expect(await readFile(fileOf('2024-01'), 'utf8')).toBe('mine');
  });

  it('leaves no file of a month that is not intact', async () => {
    await tamper(`update audit_entry set actor = 'staff:y' where position = 4`);
    await expect(exported()).rejects.toThrow('audit-2024-02.ndjson, line 2: its content was changed');
    await expect(stat(fileOf('2024-02'))).rejects.toThrow('ENOENT');
    await expect(stat(fileOf('2024-01'))).resolves.toBeDefined();
  });

  it('waits for entries that are not sealed', async () => {
    await write('2024-01-20T10:00:00Z');
    await expect(exported()).rejects.toThrow('Entries of 2024-01 wait to be sealed');
  });
});

describe('a month that was exported and verified', () => {
  beforeEach(async () => {
    await exported();
    await seal();
  });

  it('may be detached, the oldest first: verification goes on across the cut, in the database and through the files', async () => {
    const before = await verifyAudit(context);
    expect(await detachMonth(context, fileOf('2024-01'))).toBe('2024-01');
    expect(await detachMonth(context, fileOf('2024-02'))).toBe('2024-02');
    expect(await positions()).toEqual([4, 5, 6, 7, 8, 9, 10]);
    await seal();
    await write(new Date().toISOString());
    await seal();
    const report = await verifyAudit(context, before.head ?? undefined);
    expect(report).toMatchObject({ cut: { position: '4' }, checked: 10, head: { position: '13' } });
    expect(report.broken).toBeUndefined();
    const files = ['2024-01', '2024-02'].map(fileOf);
    expect((await verifyFiles(context, files)).broken).toBeUndefined();
    expect((await verifyFiles(context, [...files, fileOf('2024-04')])).broken).toBeUndefined();
  });

  it('is refused where a month before it is still there, or where it is younger than a year', async () => {
    await expect(detachMonth(context, fileOf('2024-02'))).rejects.toThrow('Detach the months before 2024-02 first');
    const earlier = { ...context, now: () => new Date('2025-01-31T00:00:00Z') };
    await expect(detachMonth(earlier, fileOf('2024-01'))).rejects.toThrow('2024-01 stays in the database for a year');
    expect(await positions()).toHaveLength(10);
  });

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    [
      'with a changed entry',
      ([one = '', ...rest]) => [one.replace('staff:x', 'staff:y'), ...rest],
      /line 1: its content was changed/,
    ],
    ['without its first entry', ([, ...rest]) => rest, /not what was exported/],
    ['without its last entry', (lines) => lines.slice(0, -1), /not what was exported/],
    ['without one in the middle', ([one = '', , ...rest]) => [one, ...rest], /line 2: an entry is missing/],
    [
      'with two in another order',
      ([one = '', two = '', ...rest]) => [two, one, ...rest],
      /line 2: an entry is missing/,
    ],
    ['with a line that is none', (lines) => [...lines, 'nothing'], /line 4: it is not an entry/],
    ['without entries', () => [], /has no entries/],
  ])('D-355: a file %s is refused, and nothing is deleted', async (_, change, message) => {
    await detachMonth(context, fileOf('2024-01'));
    await detachMonth(context, fileOf('2024-02'));
    const path = fileOf('2024-04');
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    await writeFile(
      path,
      change(lines)
        .map((line) => `${line}\n`)
        .join(''),
    );
    await expect(detachMonth(context, path)).rejects.toThrow(message);
    expect((await positions())[0]).toBe(4);
  });

  it('of a detached month, a changed or shortened file is not intact', async () => {
    const path = fileOf('2024-01');
    await detachMonth(context, path);
    const [one = '', two = ''] = (await readFile(path, 'utf8')).trimEnd().split('\n');
    await writeFile(path, `${one}\n${two.replace('test.done', 'test.dome')}\n`);
    await expect(verifyFiles(context, [path])).rejects.toThrow('line 2: its content was changed');
    await writeFile(path, `${one}\n`);
    await expect(verifyFiles(context, [path])).rejects.toThrow('The database does not go on where');
  });

  it('a file with a chain of its own, which is intact in itself, is refused', async () => {
    const other = fileOf('2024-01');
    await tamper('truncate audit_entry restart identity');
    await write(...TIMES.map((time) => time.replace('10:', '11:')));
    await seal();
    expect(await readMonthFile(other)).toMatchObject({ entries: 2 });
    await expect(detachMonth(context, other)).rejects.toThrow('is not what was exported');
    await expect(verifyFiles(context, [other])).rejects.toThrow('The database does not go on where');
  });

  it('files in another order, or with one left out, do not follow each other', async () => {
    const [one = '', two = '', three = ''] = ['2024-01', '2024-02', '2024-04'].map(fileOf);
    await expect(verifyFiles(context, [one, three])).rejects.toThrow(
      'begins at entry 5 and does not follow the file before',
    );
    await expect(verifyFiles(context, [two])).rejects.toThrow('does not follow the beginning of the log');
    await detachMonth(context, one);
    await detachMonth(context, two);
    await expect(verifyFiles(context, [one])).rejects.toThrow('The database does not go on where');
  });

  it('what was interrupted goes on with the next call, and a further one changes nothing', async () => {
    await detachMonth(context, fileOf('2024-01'));
    const { query } = app.runtime.pool;
    const pool = Object.create(app.runtime.pool) as typeof app.runtime.pool;
    pool.query = ((given: { text?: string }, ...rest: never[]) =>
      given.text?.includes('delete from')
        ? Promise.reject(new Error('cut off'))
        : Reflect.apply(query, pool, [given, ...rest])) as never;
    await expect(detachMonth({ ...context, pool }, fileOf('2024-02'))).rejects.toThrow('cut off');
    // half way, the log is intact
    expect((await verifyAudit(context)).broken).toBeUndefined();
    expect((await positions())[0]).toBe(2);
    await detachMonth(context, fileOf('2024-02'));
    await detachMonth(context, fileOf('2024-02'));
    await detachMonth(context, fileOf('2024-01'));
    expect((await positions())[0]).toBe(4);
    expect(await app.context().em.count(AuditEntry, { action: 'audit.detached' })).toBe(2);
  });

  it('only what is before the cut can be deleted, and what is after it is still verified', async () => {
    await expect(intruder.query('delete from audit_entry where position = 1')).rejects.toThrow('append-only');
    await detachMonth(context, fileOf('2024-01'));
    await expect(intruder.query('delete from audit_entry where position = 2')).rejects.toThrow('append-only');
    await expect(intruder.query('delete from audit_entry where hash is null')).rejects.toThrow('append-only');
    await tamper('delete from audit_entry where position = 3');
    expect((await verifyAudit(context)).broken).toEqual({ position: '3', reason: 'an entry is missing' });
  });

  it.each([
    ['changed', `update audit_entry set actor = 'x' where position = 2`, 'its content was changed'],
    ['sealed anew', `update audit_entry set hash = 'x' where position = 2`, 'its content was changed'],
    ['deleted', 'delete from audit_entry where position = 2', 'an entry is missing'],
  ])('the entry at the cut can not be %s unnoticed', async (_, statement, reason) => {
    await detachMonth(context, fileOf('2024-01'));
    await tamper(statement);
    expect((await verifyAudit(context)).broken).toEqual({ position: '2', reason });
  });
});
