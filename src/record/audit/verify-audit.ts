import type { Pool } from 'pg';
import type { Context } from '../../platform/context.ts';
import { LOCKS } from '../../platform/database/advisory-lock.ts';
import { inTransaction, prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { type ChainHead, knownHead } from './chain-head.ts';
import { chainHash, type Sealable } from './seal-audit.ts';

/** Small, because the driver reads a whole batch in one go, while requests wait. */
const BATCH = 250;

export interface ChainReport {
  /** Sealed entries that were checked. */
  checked: number;
  /** The entry where the check began, because those before it are in files; null where none are. */
  cut: ChainHead | null;
  /** Entries that wait to be sealed. */
  waiting: number;
  /** The last valid entry; null where there is none. */
  head: ChainHead | null;
  /** The first invalid entry. */
  broken?: { position: string; reason: string };
}

/** Whether a verification is under way. */
export interface AuditCheck {
  running: boolean;
  /** Entries that it has checked so far; null where another process does it. */
  checked: number | null;
}

export type Sealed = Sealable & { position: string; previousHash: string | null; hash: string };

export const readSealed = preparedWithDates<Sealed & { [column: string]: unknown }>(`
  select id, at, actor, action, subject, details, request_id as "requestId", position, previous_hash as "previousHash", hash
  from audit_entry where position > $1 order by position limit ${BATCH}`);
/** The last entry of the months that were detached, where verification begins (`archive-audit.ts`). */
export const readCut = prepared<ChainHead & { [column: string]: unknown }>(`
  select details ->> 'position' as position, details ->> 'hash' as hash from audit_entry where action = 'audit.detached'
  order by id desc limit 1`);
const countWaiting = prepared<{ waiting: number }>(
  'select count(*)::int as waiting from audit_entry where hash is null',
);
const lock = prepared<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held');
const readLock = prepared<{ held: boolean }>(`
  select exists (select from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())) as held`);

/** The entries that the run of this process has checked. */
const runs = new WeakMap<Pool, { checked: number }>();

/**
 * Recomputes every hash of the chain, in slices between which requests are answered. The result is also compared with the head that this
 * process read last.
 * @param anchor a kept head; needed to notice entries removed from the end before this process started
 * @throws DomainError `conflict` while another run is under way, in any process
 */
export function verifyAudit({ pool }: Pick<Context, 'pool'>, anchor?: ChainHead): Promise<ChainReport> {
  const anchors = [knownHead(pool), anchor].filter((head) => head !== undefined);
  return inTransaction(pool, async (client) => {
    const [locked] = await lock(client, [LOCKS.auditVerification]);
    if (!locked?.held)
      throw new DomainError('conflict', 'The audit log is being verified already. Wait for the result.');
    const run = { checked: 0 };
    runs.set(pool, run);
    const [cut = null] = await readCut(client, []);
    const began = Number(cut?.position ?? 1);
    let head: ChainHead | null = null;
    let reason: string | undefined;
    const known = [...anchors, ...(cut ? [cut] : [])];
    const check = (entry: Sealed): void => {
      const previousHash = head === null && cut !== null ? entry.previousHash : (head?.hash ?? null);
      reason ??= fault(entry, began + run.checked, previousHash) ?? anchorFault(entry, known);
      if (reason !== undefined) return;
      run.checked += 1;
      head = { position: entry.position, hash: entry.hash };
    };
    try {
      for (let read = BATCH; read === BATCH && reason === undefined; ) {
        const entries = await readSealed(client, [began + run.checked - 1]);
        read = entries.length;
        await inSlices(entries, check);
      }
    } finally {
      runs.delete(pool);
    }
    if (anchors.some(({ position }) => Number(position) >= began + run.checked)) reason ??= 'an entry is missing';
    const [{ waiting } = { waiting: 0 }] = await countWaiting(client, []);
    const broken = reason === undefined ? {} : { broken: { position: String(began + run.checked), reason } };
    return { checked: run.checked, cut, waiting, head, ...broken };
  });
}

/** Reads whether a verification is under way, in any process. */
export async function readAuditCheck(pool: Pool): Promise<AuditCheck> {
  const own = runs.get(pool);
  if (own) return { running: true, checked: own.checked };
  const [row] = await readLock(pool, [LOCKS.auditVerification]);
  return { running: row?.held ?? false, checked: null };
}

/** A rebuilt chain is consistent in itself, but not with a kept head. */
function anchorFault({ position, hash }: Sealed, anchors: readonly ChainHead[]): string | undefined {
  const differs = anchors.some((anchor) => anchor.position === position && anchor.hash !== hash);
  return differs ? 'it is not the entry that was sealed here' : undefined;
}

/** Why an entry is not intact at its place. */
export function fault(entry: Sealed, position: number, previousHash: string | null): string | undefined {
  if (Number(entry.position) !== position) return 'an entry is missing';
  if (entry.previousHash !== previousHash) return 'it does not follow the entry before it';
  if (entry.hash !== chainHash(BigInt(position), previousHash, entry)) return 'its content was changed';
  return undefined;
}
