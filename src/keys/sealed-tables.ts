import type { KeyPurpose } from '../entities/encryption-key.ts';

/** A table with sealed secrets. Names are SQL. */
export interface SealedTable {
  table: string;
  /** What a secret belongs to: `about` of `seal`. Unique. */
  owner: string;
  /** The column with the secret; null where a row has none. */
  secret: string;
  /** What it is sealed for: `custody` is Solana keys, which a vault seals; the rest is sealed with `KEY_ENCRYPTION_KEY`. */
  purpose: KeyPurpose;
}

/** Every sealed secret of the database. A test compares it with the entities. */
export const SEALED_TABLES: readonly SealedTable[] = [
  { table: 'signing_key', owner: 'kid', secret: 'sealed_key', purpose: 'secrets' },
  { table: 'account_session', owner: 'secret_hash', secret: 'sealed_id_token', purpose: 'secrets' },
  { table: 'partner_provider', owner: 'secret_owner', secret: 'sealed_secret', purpose: 'secrets' },
  { table: 'notification_secret', owner: 'owner', secret: 'sealed_secret', purpose: 'secrets' },
  { table: 'chain_key', owner: 'address', secret: 'sealed_key', purpose: 'custody' },
  { table: 'wallet', owner: 'address', secret: 'sealed_key', purpose: 'custody' },
];

/** @throws RangeError for a table without secrets */
export function sealedTable(name: string): SealedTable {
  const found = SEALED_TABLES.find(({ table }) => table === name);
  if (found === undefined) throw new RangeError(`no sealed secrets in ${name}`);
  return found;
}
