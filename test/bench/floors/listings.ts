import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto';
import { addressOf } from '@fan-api/solana-wire/base58';
import { type ParsedTransaction, parseTransaction } from '@fan-api/solana-wire/parse-transaction';
import { keptPublicKeys } from './kept-public-keys.ts';
import type { Floor } from './task.ts';

/** Copies of the server's tables, so that none of its jobs works on what the floor writes. */
const TABLES = [
  'create table if not exists floor_signature (like listing_signature including all)',
  'create table if not exists floor_audit (like audit_entry including all)',
];

/** Locks the permits and records each signature with its audit entry. */
const STATEMENT = `
  with given as (
    select * from unnest($1::text[], $2::text[]) as s (message_hash, permit)
  ), held as (
    select id, tix_permit_id from permit where tix_permit_id = any($2) order by id for update
  ), signed as (
    insert into floor_signature (message_hash, permit_id, grant_id, action, sentence, signed_at)
    select message_hash, held.id, held.id, 'list', 'List permit ' || permit || ' for a price', now()
    from given join held on held.tix_permit_id = given.permit
    on conflict do nothing returning message_hash
  ), audited as (
    insert into floor_audit (at, actor, action, subject, details, request_id)
    select now(), 'fan:floor', 'listing.co_signed', permit, jsonb_build_object('message_hash', message_hash, 'permit', permit), 'floor'
    from signed join given using (message_hash)
  )
  select count(*)::int as count from held`;

/** Slots of the signatures: the partner's, who pays, and ours. */
const PARTNER_SLOT = 0;
const OUR_SLOTS = [1, 2];
const SIGNATURE_LENGTH = 64;

/**
 * 4 transactions: 4 Ed25519 verifications and 8 signatures, one RPC read, one statement. Signatures are made on the event loop, where
 * each costs the least CPU time.
 */
export const listings: Floor = async ({ query, rpc }) => {
  for (const [at, table] of TABLES.entries()) await query(`listings table ${at}`, table, []);
  const ours = OUR_SLOTS.map((slot) => ({ slot, key: generateKeyPairSync('ed25519').privateKey }));
  const partnerKey = keptPublicKeys();
  return async ({ body }) => {
    const { transactions } = JSON.parse(body) as { transactions: string[] };
    const parsed = transactions.map((text) => parseTransaction(Buffer.from(text, 'base64')));
    for (const { accountKeys, signatures, message } of parsed) {
      const signature = signatures[PARTNER_SLOT] ?? Buffer.alloc(0);
      if (!verify(null, message, partnerKey(accountKeys[PARTNER_SLOT]), signature))
        throw new Error('a signature is wrong');
    }
    const [config = '', , , , marketplace = ''] = accountsOf(parsed[0]);
    const permits = parsed.map((each) => accountsOf(each)[1] ?? '');
    const read = [[config, ...permits, marketplace], { encoding: 'base64', commitment: 'confirmed' }];
    await rpc({ jsonrpc: '2.0', id: 1, method: 'getMultipleAccounts', params: read });
    const hashes = parsed.map(({ message }) => createHash('sha256').update(message).digest('base64url'));
    const [held] = await query<{ count: number }>('listings', STATEMENT, [hashes, permits]);
    if (held?.count !== permits.length) throw new Error('a permit is unknown');
    const signed = parsed.map(({ bytes, message }) => {
      const filled = Buffer.from(bytes);
      for (const { slot, key } of ours) filled.set(sign(null, message, key), 1 + slot * SIGNATURE_LENGTH);
      return filled.toString('hex');
    });
    return JSON.stringify({ transactions: signed });
  };
};

/** The accounts of the listing, which is the last instruction, in the program's order: config, permit, owner, authority, marketplace. */
function accountsOf(transaction: ParsedTransaction | undefined): string[] {
  const listing = transaction?.instructions.at(-1);
  return [...(listing?.accountIndexes ?? [])].map((index) =>
    addressOf(transaction?.accountKeys[index] ?? Buffer.alloc(0)),
  );
}
