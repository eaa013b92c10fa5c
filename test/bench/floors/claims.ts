import { randomUUID } from 'node:crypto';
import { encodeBase58 } from '@fan-api/solana-wire/base58';
import type { Floor } from './task.ts';

/** A copy of the server's table, so that none of its jobs works on what the floor writes. */
const TABLE = 'create table if not exists floor_claim (like claim including all)';

const BEFORE = `
  insert into floor_claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction, recent_blockhash, state,
    created_at, updated_at)
  select id, signature, $4, id, 'signer', 'destination', transaction, 'blockhash', 'submitted', now(), now()
  from unnest($1::uuid[], $2::text[], $3::text[]) as s (id, signature, transaction)`;

const AFTER = `update floor_claim set state = 'confirmed', updated_at = now() where id = any($1)`;

const SIGNATURE_LENGTH = 64;

/** 10 transactions: a statement that records them, one JSON-RPC batch that submits them, a statement that confirms them. */
export const claims: Floor = async ({ query, rpc }) => {
  await query('claims table', TABLE, []);
  return async ({ body }) => {
    const { tickets } = JSON.parse(body) as { tickets: { tx: string }[] };
    const given = tickets.map(({ tx }) => {
      const bytes = Buffer.from(tx, 'hex');
      return { id: randomUUID(), tx, bytes, signature: encodeBase58(bytes.subarray(1, 1 + SIGNATURE_LENGTH)) };
    });
    const ids = given.map(({ id }) => id);
    await query('claims before', BEFORE, [
      ids,
      given.map(({ signature }) => signature),
      given.map(({ tx }) => tx),
      randomUUID(),
    ]);
    const calls = given.map(({ bytes }, id) => {
      const params = [bytes.toString('base64'), { encoding: 'base64', preflightCommitment: 'confirmed' }];
      return { jsonrpc: '2.0', id, method: 'sendTransaction', params };
    });
    const answers = (await rpc(calls)) as { result?: string; error?: object }[];
    const refused = answers.find(({ result }) => result === undefined);
    if (refused) throw new Error(JSON.stringify(refused.error));
    await query('claims after', AFTER, [ids]);
    return JSON.stringify({ tickets: given.map(({ signature }) => ({ transfer_id: signature })) });
  };
};
