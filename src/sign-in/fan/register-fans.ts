import type { PoolClient } from 'pg';
import { type NewKey, newKey } from '../../chain/wallet/create-keys.ts';
import type { WithCustody } from '../../keys/vault.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { giveWay } from '../../platform/in-slices.ts';

/** A production fan that is to be registered, with the key of its wallet. */
export interface NewFan {
  id: Uuid;
  /** E.164. */
  phone: string;
  key: NewKey;
}

/** Making one key blocks the event loop for 0.2 ms. */
const KEYS_OF_A_SLICE = 10;

/**
 * Makes the keys of many wallets, before the transaction that stores them; as many in parallel as the vault accepts.
 * @throws DomainError `unavailable` where the vault can't be reached
 */
export async function newKeys({ custody }: WithCustody, count: number): Promise<NewKey[]> {
  const keys: NewKey[] = [];
  while (keys.length < count) {
    const sideBySide = Math.min(custody.vault.sideBySide, KEYS_OF_A_SLICE, count - keys.length);
    keys.push(...(await Promise.all(Array.from({ length: sideBySide }, () => newKey({ custody })))));
    await giveWay();
  }
  return keys;
}

const insertFans = prepared<{ id: Uuid }>(`
  with given as (
    select * from jsonb_to_recordset($1::jsonb)
      as g(id uuid, phone text, address text, sealed_key text, sealed_with text)
  ), made as (
    insert into fan (id, mode, phone, number_vouched_at, created_at)
    select id, 'production', phone, $2, $2 from given order by phone
    on conflict (mode, phone) do nothing
    returning id
  ), wallets as (
    insert into wallet (address, fan_id, sealed_key, sealed_with, created_at)
    select address, id, sealed_key, sealed_with, $2 from given join made using (id)
  )
  select id from made`);

/**
 * Registers production fans, each with a wallet and a number that the company vouches for, within the caller's transaction.
 * @returns how many it registered: fewer than given where a number got a fan meanwhile
 */
export async function registerFans(client: PoolClient, fans: readonly NewFan[], now: Date): Promise<number> {
  if (fans.length === 0) return 0;
  const given = fans.map(({ id, phone, key }) => ({
    id,
    phone,
    address: key.address,
    sealed_key: key.sealedKey,
    sealed_with: key.sealedWith,
  }));
  return (await insertFans(client, [JSON.stringify(given), now])).length;
}

/** Locks fans in one order, so that two batches never deadlock. Writes a fan at most once a day, also in an import of many batches. */
const vouch = prepared(`
  with due as (
    select id from fan
    where mode = 'production' and phone = any($1) and number_vouched_at < $2::timestamptz - interval '1 day'
    order by id for no key update
  )
  update fan f set number_vouched_at = $2 from due where f.id = due.id`);

/**
 * Records that the company vouches for numbers by naming them in new or changed rows, by one statement within the caller's
 * transaction.
 * @param phones E.164, of production
 * @see D-073
 */
export async function vouchForNumbers(client: PoolClient, phones: readonly string[], now: Date): Promise<void> {
  if (phones.length > 0) await vouch(client, [phones, now]);
}
