import type { EntityManager } from '@mikro-orm/postgresql';
import type { Uuid } from '../identifier/type-id.ts';
import { prepared } from './prepared.ts';

/** Numbers of the service's advisory locks. `packages/embedded-postgres` has 7_302_000. */
export const LOCKS = {
  migration: 7_302_001,
  signingKeys: 7_302_002,
  auditSeals: 7_302_003,
  starterKit: 7_302_004,
  /** Keeps two transactions from picking the same test number. */
  testPhones: 7_302_005,
  /** Held while `encryption_key` is written. */
  encryptionKeys: 7_302_006,
  /** One run at a time, over all processes. */
  reencryption: 7_302_007,
  /** Held while a partition of the request log is made. */
  requestLogDays: 7_302_008,
  /** Held while tickets get their positions in the feed. */
  feedPositions: 7_302_009,
  auditVerification: 7_302_013,
  /** Held while a key for a failure is made, so that concurrent calls count each other's keys. */
  clientKeys: 7_302_014,
  /** With the name of a caller, whose revealed numbers are counted under the lock. */
  revealedNumbers: 7_302_365,
} as const;

const takeOne = prepared('select pg_advisory_xact_lock($1)');
const takeNamed = prepared('select pg_advisory_xact_lock($1, hashtext($2))');

/**
 * Waits for an advisory lock and holds it until the transaction ends.
 * @param em of a transaction
 * @param name distinguishes locks of one kind, such as those of callers
 */
export async function takeLock(em: EntityManager, lock: keyof typeof LOCKS, name?: string): Promise<void> {
  if (name === undefined) await takeOne(em, [LOCKS[lock]]);
  else await takeNamed(em, [LOCKS[lock], name]);
}

const lockOf = {
  client: prepared('select 1 from client where id = $1 for no key update'),
  permit: prepared('select 1 from permit where id = $1 for no key update'),
};

/**
 * Waits for a row and holds it until the transaction ends. Rows that refer to it can be written meanwhile, which the ORM's `FOR UPDATE`
 * would block.
 */
export async function lockRow(em: EntityManager, table: keyof typeof lockOf, id: Uuid): Promise<void> {
  await lockOf[table](em, [id]);
}
