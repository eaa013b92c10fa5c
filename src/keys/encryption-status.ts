import type { Context } from '../platform/context.ts';
import { newestOf, readKeys } from './admit-key.ts';
import type { WithSecrets } from './seal.ts';
import { countSealed, SEALED_TABLES } from './sealed-tables.ts';
import { custodyFor, type WithCustody } from './vault.ts';

/** The progress of a key rotation, as this process sees it. */
export interface EncryptionStatus {
  /** Ids of `KEY_ENCRYPTION_KEY`, of its fallback, and of the vault for the keys of wallets. */
  key: string;
  fallback: string | undefined;
  custody: string;
  tables: TableStatus[];
}

/** How many secrets of a table the key of this process sealed, and how many another key. */
export interface TableStatus {
  table: string;
  /** The id of the key that seals. */
  key: string;
  done: number;
  left: number;
  /** The key to which rows are re-encrypted; another one than `key` during a rotation. */
  newest: string | undefined;
}

/** Reads the progress of a key rotation. */
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
