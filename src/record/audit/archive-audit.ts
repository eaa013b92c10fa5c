/**
 * Whole months of the audit log as files, which may then be deleted from the database. The chain goes through all of it: a file begins
 * with the hash of the entry before it, and the last entry of a detached month stays in the database, as the beginning of what is verified
 * there. Both steps are entries of the log themselves.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../platform/context.ts';
import { deleteInTurns, oldRowsOf } from '../../platform/database/in-batches.ts';
import { prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import { after, DAY } from '../../platform/time.ts';
import type { AuditDetails } from './audit-actions.ts';
import { recordAudit } from './record-audit.ts';
import { type ChainReport, fault, readCut, readSealed, type Sealed, verifyAudit } from './verify-audit.ts';

type ArchiveContext = Pick<Context, 'pool' | 'em' | 'now' | 'requestId' | 'log'>;
type Archived = AuditDetails['audit.archived'];

/** What a file has, as its entries prove it. */
interface MonthFile extends Omit<Archived, 'month'> {
  /** Of the entry before the first. */
  previousHash: string | null;
}

/** Seconds in which entries of a month may still be committed and sealed. */
const SETTLED_AFTER = 3600;
/** No grant lives longer, and the history of a grant is read from the log. */
const KEPT = 366 * DAY;

const readArchived = prepared<Archived & { [column: string]: unknown }>(`
  select details ->> 'month' as month, details ->> 'last' as last from audit_entry where action = 'audit.archived'
  order by id desc limit 1`);
const readArchivedAs = prepared<{ month: string }>(
  `select details ->> 'month' as month from audit_entry where action = 'audit.archived' and details ->> 'sha256' = $1`,
);
const readFirst = preparedWithDates<{ position: string; at: Date }>(
  'select position, at from audit_entry where position >= $1 order by position limit 1',
);
const readAt = prepared<{ hash: string; previous_hash: string | null }>(
  'select hash, previous_hash from audit_entry where position = $1',
);
/** A month ends before the first entry of the next: those that were sealed out of order are within the first thousand. */
const readEnd = prepared<{ last: string | null; unsealed: boolean }>(`
  select coalesce((select min(position) - 1 from (select position from audit_entry where at >= $1 order by at limit 1000) later),
    (select max(position) from audit_entry where position is not null)) as last,
    coalesce((select at from audit_entry where hash is null order by id limit 1) < $1, false) as unsealed`);
const upTo = oldRowsOf('audit_entry', 'position', undefined, '0::bigint');

/**
 * Writes each month that is over and was not exported yet into a file of its own, `audit-2026-10.ndjson`, and verifies what was written.
 * @param folder has none of these files
 * @throws Error where an entry is not intact, or a file exists
 */
export async function* exportMonths(
  context: ArchiveContext,
  folder: string,
): AsyncGenerator<Archived & { file: string }> {
  const { pool, now } = context;
  for (;;) {
    const [before] = await readArchived(pool, []);
    const first = before === undefined ? 1n : BigInt(before.last) + 1n;
    const [entry] = await readFirst(pool, [first]);
    if (entry === undefined) return;
    const [one, other] = [before && monthAfter(before.month), entry.at.toISOString().slice(0, 7)];
    // an entry of the month before may have been sealed after the first of this one
    const month = one !== undefined && one > other ? one : other;
    const ends = new Date(`${monthAfter(month)}-01T00:00:00Z`);
    if (now() < after(ends, SETTLED_AFTER)) return;
    const [end] = await readEnd(pool, [ends]);
    if (end?.unsealed) throw new Error(`Entries of ${month} wait to be sealed. Try again in a minute.`);
    const file = join(folder, `audit-${month}.ndjson`);
    const lines = Readable.from(linesOf(pool, first, BigInt(end?.last ?? 0)));
    await pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    const { previousHash: _, ...written } = await verifyWritten(pool, file, end?.last);
    const archived = { month, ...written };
    recordAudit(context, { actor: 'system', action: 'audit.archived', subject: 'audit', details: archived });
    await context.em.flush();
    yield { ...archived, file };
  }
}

async function* linesOf(pool: Context['pool'], first: bigint, last: bigint): AsyncGenerator<string> {
  for (let next = first; next <= last; ) {
    const entries = await readSealed(pool, [next - 1n]);
    const ofMonth = entries.filter(({ position }) => BigInt(position) <= last);
    yield ofMonth.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    next = BigInt(entries.at(-1)?.position ?? last) + 1n;
  }
}

/** Reads a file back. One that is not what the database has is removed. */
async function verifyWritten(pool: Context['pool'], file: string, last: string | null | undefined): Promise<MonthFile> {
  try {
    const written = await readMonthFile(file);
    const [inDatabase] = await readAt(pool, [last]);
    if (written.last !== last || written.hash !== inDatabase?.hash) throw new Error(`${file} was not written whole.`);
    return written;
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/**
 * Reads a file of a month, and recomputes the chain in it.
 * @throws Error that names the first line that is not intact
 */
export async function readMonthFile(path: string): Promise<MonthFile> {
  const digest = createHash('sha256');
  let [first, last]: (Sealed | undefined)[] = [];
  let entries = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    digest.update(`${line}\n`);
    entries += 1;
    const entry = entryIn(line);
    const reason = entry === undefined ? 'it is not an entry' : faultAfter(last, entry);
    if (entry === undefined || reason !== undefined) throw new Error(`${path}, line ${entries}: ${reason}.`);
    first ??= entry;
    last = entry;
  }
  if (first === undefined || last === undefined) throw new Error(`${path} has no entries.`);
  const { previousHash, position } = first;
  return { first: position, last: last.position, entries, previousHash, hash: last.hash, sha256: digest.digest('hex') };
}

/** Why an entry is not intact, or does not follow the one before it. The first of a file begins where it says. */
function faultAfter(before: Sealed | undefined, entry: Sealed): string | undefined {
  if (before === undefined) return fault(entry, Number(entry.position), entry.previousHash);
  return fault(entry, Number(before.position) + 1, before.hash);
}

function entryIn(line: string): Sealed | undefined {
  try {
    const entry = JSON.parse(line) as Omit<Sealed, 'at'> & { at: string };
    const at = new Date(entry.at);
    return Number.isNaN(at.getTime()) ? undefined : { ...entry, at };
  } catch {
    return undefined;
  }
}

/**
 * Deletes a month from the database, but for its last entry. Where it was interrupted, another call goes on.
 * @param path its file, which is verified again
 * @returns the month
 * @throws Error where the file is not what was exported, the month is younger than a year, or one before it is still there
 */
export async function detachMonth(context: ArchiveContext, path: string): Promise<string> {
  const { pool, now, log } = context;
  const { first, last, hash, sha256 } = await readMonthFile(path);
  const [archived] = await readArchivedAs(pool, [sha256]);
  const [end] = await readAt(pool, [last]);
  if (archived === undefined) throw new Error(`${path} is not what was exported: it was changed, or is another log’s.`);
  const { month } = archived;
  if (now() < after(new Date(`${monthAfter(month)}-01T00:00:00Z`), KEPT))
    throw new Error(`${month} stays in the database for a year, for the history of grants.`);
  const [oldest] = await readFirst(pool, [1]);
  if (BigInt(first) > BigInt(oldest?.position ?? 0) + 1n)
    throw new Error(`Detach the months before ${month} first: the database begins at entry ${oldest?.position}.`);
  const [cut] = await readCut(pool, []);
  if (cut !== undefined && BigInt(cut.position) > BigInt(last)) return month;
  if (end?.hash !== hash) throw new Error(`Entry ${last} of the database is not the last one of ${path}.`);
  if (cut?.position !== last) {
    const details = { month, position: last, hash, sha256 };
    recordAudit(context, { actor: 'system', action: 'audit.detached', subject: 'audit', details });
    await context.em.flush();
    log.warn({ head: `${last}:${hash}`, month }, 'audit log detached: verification begins here');
  }
  await deleteInTurns([upTo(pool, BigInt(last))]);
  return month;
}

/**
 * Verifies files of months in their order, that each follows the one before, and that the database goes on where the last one ends; then
 * what the database has.
 * @throws Error where a file is not intact, or does not follow
 */
export async function verifyFiles({ pool }: Pick<Context, 'pool'>, paths: readonly string[]): Promise<ChainReport> {
  let before: MonthFile | undefined;
  for (const path of paths) {
    const file = await readMonthFile(path);
    const follows = before ? BigInt(file.first) === BigInt(before.last) + 1n : file.first === '1';
    if (!follows || file.previousHash !== (before?.hash ?? null))
      throw new Error(
        `${path} begins at entry ${file.first} and does not follow ${before ? 'the file before it' : 'the beginning of the log'}.`,
      );
    before = file;
  }
  if (before !== undefined) {
    const [[end], [next]] = await Promise.all([readAt(pool, [before.last]), readAt(pool, [BigInt(before.last) + 1n])]);
    if (end?.hash !== before.hash || (next !== undefined && next.previous_hash !== before.hash))
      throw new Error(`The database does not go on where ${paths.at(-1)} ends, at entry ${before.last}.`);
  }
  return verifyAudit({ pool });
}

/** `2027-01` after `2026-12`. */
function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7);
}
