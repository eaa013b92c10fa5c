import type { KeyPurpose } from '../entities/encryption-key.ts';
import type { Context } from '../platform/context.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { WithSecrets } from './seal.ts';
import { type Custody, custodyFor, type WithCustody } from './vault.ts';

/** A table with sealed secrets. Names are SQL. */
export interface SealedTable {
  table: string;
  /** The owner of a secret, `about` of `seal`. Unique. */
  owner: string;
  /** The column with the secret; null where a row has none. */
  secret: string;
  /** `custody`: Solana keys, which a vault seals; `secrets`: the others, sealed with `KEY_ENCRYPTION_KEY`. */
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

/** How many secrets of a table were sealed with which key. */
export interface SealedCount {
  table: string;
  /** Empty where they were sealed before keys had ids. */
  sealedWith: string;
  count: number;
}

const COUNTED = SEALED_TABLES.map((sealed) => {
  const { table, owner, secret } = sealed;
  return {
    ...sealed,
    count: prepared<{ sealed_with: string; count: number }>(
      `select sealed_with, count(*)::int as count from ${table} where ${secret} is not null group by 1 order by 1`,
    ),
    readUnnamed: prepared<{ owner: string; secret: string }>(
      `select ${owner} as owner, ${secret} as secret from ${table} where sealed_with = '' and ${secret} is not null limit 1`,
    ),
  };
});

/** @throws RangeError for a table without secrets */
function sealedTable(name: string) {
  const found = COUNTED.find(({ table }) => table === name);
  if (found === undefined) throw new RangeError(`no sealed secrets in ${name}`);
  return found;
}

/** Counts every sealed secret by table and key. */
export async function countSealed({ em }: Pick<Context, 'em'>): Promise<SealedCount[]> {
  const counts: SealedCount[] = [];
  for (const { table, count } of COUNTED) {
    const rows = await count(em, []);
    counts.push(...rows.map(({ sealed_with, count }) => ({ table, sealedWith: sealed_with, count })));
  }
  return counts;
}

/** Those among `counts` that this process does not open. Rows that name no key were all sealed with one key, so one of them is tried. */
export async function foreignAmong(
  context: Pick<Context, 'em'> & WithSecrets & WithCustody,
  counts: readonly SealedCount[],
): Promise<SealedCount[]> {
  const foreign: SealedCount[] = [];
  for (const counted of counts) {
    const custody = custodyFor(context, sealedTable(counted.table).purpose);
    const named = counted.sealedWith !== '';
    const opens = named ? custody.opens(counted.sealedWith) : await opensUnnamed(context, custody, counted);
    if (!opens) foreign.push(counted);
  }
  return foreign;
}

async function opensUnnamed({ em }: Pick<Context, 'em'>, custody: Custody, counted: SealedCount): Promise<boolean> {
  const [row] = await sealedTable(counted.table).readUnnamed(em, []);
  if (row === undefined) return true;
  return custody.open(row.owner, { sealed: row.secret, sealedWith: '' }).then(
    (opened) => opened.fill(0).length > 0,
    () => false,
  );
}

/** `2 rows of chain_key, 1 row of wallet` */
export function inWords(counts: readonly Pick<SealedCount, 'table' | 'count'>[]): string {
  const sums = new Map<string, number>();
  for (const { table, count } of counts) sums.set(table, (sums.get(table) ?? 0) + count);
  return [...sums].map(([table, count]) => `${count} ${count === 1 ? 'row' : 'rows'} of ${table}`).join(', ');
}
