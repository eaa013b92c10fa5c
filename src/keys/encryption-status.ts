import type { Context } from '../platform/context.ts';
import { newestOf, readKeys } from './admit-key.ts';
import type { WithSecrets } from './seal.ts';
import { countSealed, SEALED_TABLES } from './sealed-tables.ts';
import { custodyFor, type WithCustody } from './vault.ts';

/** How far a change of keys is, as this process sees it. */
export interface EncryptionStatus {
  /** Ids of `KEY_ENCRYPTION_KEY`, of its fallback, and of what seals the keys of wallets. */
  key: string;
  fallback: string | undefined;
  custody: string;
  tables: TableStatus[];
}

/** Of a table with secrets: how many the key of this process sealed, and how many another. */
export interface TableStatus {
  table: string;
  /** What seals here. */
  key: string;
  done: number;
  left: number;
  /** The key to which rows are re-encrypted; another one than `key` while the processes change over. */
  newest: string | undefined;
}

/** Reads how far a change of keys is. */
export async function readEncryptionStatus(
  context: Pick<Context, 'em'> & WithSecrets & WithCustody,
): Promise<EncryptionStatus> {
  const { secrets, custody } = context;
  const counts = await countSealed(context);
  const keys = await readKeys(context);
  const tables = SEALED_TABLES.map(({ table, purpose }) => {
    const key = custodyFor(context, purpose).vault.id;
    const sum = (own: boolean) =>
      counts
        .filter((counted) => counted.table === table && (counted.sealedWith === key) === own)
        .reduce((total, { count }) => total + count, 0);
    return { table, key, done: sum(true), left: sum(false), newest: newestOf(keys, purpose)?.id };
  });
  return { key: secrets.id, fallback: secrets.fallback?.id, custody: custody.vault.id, tables };
}
