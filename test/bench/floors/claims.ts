import { randomUUID, verify } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, encodeBase58 } from '@fan-api/solana-wire/base58';
import { type ParsedTransaction, parseTransaction } from '@fan-api/solana-wire/parse-transaction';
import { keptPublicKeys } from './kept-public-keys.ts';
import type { Floor, FloorContext } from './task.ts';

/** Records the claims before anything is sent, each once, of permits for a future event; and reads what the answer says of them. */
const BEFORE = `
  with given as (
    select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) as s (id, signature, transaction, blockhash, address)
  ), known as (
    select given.*, p.id as permit_id, p.ticket_id, e.tix_event_id
    from given join floor_permit p on p.tix_permit_id = given.address and p.revoked_at is null
      join floor_ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id
      join event e on e.id = tt.event_id and e.ends_at > now()
  ), written as (
    insert into floor_claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction, recent_blockhash, state,
      created_at, updated_at)
    select id, signature, $6, permit_id, $7, $8, transaction, blockhash, 'submitted', now(), now() from known
    on conflict (signature) do nothing returning id
  )
  select signature, address, ticket_id, tix_event_id, id in (select id from written) as fresh from known`;

/** Moves permit, ticket and listing, ends the claims, and writes one audit entry for each that says all of it. */
const AFTER = `
  with landed as (
    select * from unnest($1::uuid[], $2::text[]) as s (id, address)
  ), read as (
    update floor_permit p set chain_slot = $3 from landed
    where p.tix_permit_id = landed.address and (p.chain_slot is null or p.chain_slot <= $3)
    returning landed.id as claim, p.id as permit_id, p.ticket_id
  ), moved as (
    update floor_ticket t set owner_id = w.fan_id from read, wallet w where t.id = read.ticket_id and w.address = $4
    returning read.permit_id, t.owner_id
  ), sold as (
    update floor_listing l set closed_at = now(), outcome = 'sold' from moved
    where l.permit_id = moved.permit_id and l.closed_at is null returning l.permit_id
  ), confirmed as (
    update floor_claim c set state = 'confirmed', unfinal_slot = $3, updated_at = now() from read
    where c.id = read.claim and c.state = 'submitted' returning c.id, c.grant_id, c.permit_id, c.signature
  ), audited as (
    insert into floor_audit (at, actor, action, subject, details, request_id)
    select now(), 'system', 'claim.confirmed', signature, jsonb_build_object('claim', id, 'grant', grant_id, 'permit', permit_id,
      'owner', $4::text, 'sold', permit_id in (select permit_id from sold), 'slot', $3), $5
    from confirmed
  )
  select count(*)::int as count from confirmed join moved using (permit_id)`;

/** Where an account's data has the owner: after the discriminator, the event and the ticket id. */
const OWNER_AT = 72;
const PUBLIC_KEY_LENGTH = 32;
const POLL_MS = 200;

interface Given extends ParsedTransaction {
  id: string;
  tx: string;
  address: string;
}

/** What the bench sends: the wallet of the fan whose token a real request would have. */
interface Body {
  tickets: { tx: string }[];
  wallet: string;
}

interface Known {
  signature: string;
  address: string;
  ticket_id: string;
  tix_event_id: string;
  /** Whether it is no repeat. */
  fresh: boolean;
}

type Reply = { result?: unknown; error?: object };
type Statuses = { value: ({ confirmationStatus: string; err: unknown } | null)[] };
type Accounts = { context: { slot: number }; value: ({ data: [string, string] } | null)[] };

/**
 * 10 transactions: 10 Ed25519 verifications, a statement that records the claims, a JSON-RPC batch that submits them, one that reads
 * statuses and permits, again until all are confirmed, and a statement that moves what moved and audits it. Signatures are verified on
 * the event loop, where each costs the least CPU time.
 */
export const claims: Floor = ({ query, rpc }) => {
  const publicKey = keptPublicKeys();
  return async ({ body }) => {
    const { tickets, wallet } = JSON.parse(body) as Body;
    const given = tickets.map(({ tx }) => parseGiven(tx));
    for (const { accountKeys, signatures, message } of given) {
      const [signature = Buffer.alloc(0)] = signatures;
      if (!verify(null, message, publicKey(accountKeys[0]), signature)) throw new Error('a signature is wrong');
    }
    const ids = given.map(({ id }) => id);
    const addresses = given.map(({ address }) => address);
    const signatures = given.map(signatureOf);
    const signer = addressOf(given[0]?.accountKeys[0] ?? Buffer.alloc(0));
    const blockhashes = given.map(({ recentBlockhash }) => addressOf(recentBlockhash));
    const hex = given.map(({ tx }) => tx);
    const before = [ids, signatures, hex, blockhashes, addresses, randomUUID(), signer, wallet];
    const known = await query<Known>('claims before', BEFORE, before);
    if (known.length !== given.length) throw new Error('a permit is unknown');
    const isRepeat = !known.some(({ fresh }) => fresh);
    if (!isRepeat) await submit(rpc, given);
    const slot = await landedAt(rpc, signatures, addresses);
    if (isRepeat) return JSON.stringify({ tickets: known.map((each) => toAnswer(each, signer, wallet)) });
    const [ended] = await query<{ count: number }>('claims after', AFTER, [ids, addresses, slot, wallet, 'floor']);
    if (ended?.count !== given.length) throw new Error('a claim was not confirmed');
    return JSON.stringify({ tickets: known.map((each) => toAnswer(each, signer, wallet)) });
  };
};

function parseGiven(tx: string): Given {
  const parsed = parseTransaction(Buffer.from(tx, 'hex'));
  // the destination of the transfer, which is the last instruction
  const permit = parsed.accountKeys[parsed.instructions.at(-1)?.accountIndexes[1] ?? 0];
  return { ...parsed, id: randomUUID(), tx, address: addressOf(permit ?? Buffer.alloc(0)) };
}

async function submit(rpc: FloorContext['rpc'], given: readonly Given[]): Promise<void> {
  const options = { encoding: 'base64', preflightCommitment: 'confirmed' };
  const calls = given.map(({ bytes }, id) => {
    const params = [Buffer.from(bytes).toString('base64'), options];
    return { jsonrpc: '2.0', id, method: 'sendTransaction', params };
  });
  const refused = ((await rpc(calls)) as Reply[]).find(({ result }) => result === undefined);
  if (refused) throw new Error(JSON.stringify(refused.error));
}

/** Reads statuses and permits until every transaction is confirmed. @returns the slot of the permits */
async function landedAt(rpc: FloorContext['rpc'], signatures: string[], addresses: string[]): Promise<number> {
  const options = { encoding: 'base64', commitment: 'confirmed' };
  const calls = [
    { jsonrpc: '2.0', id: 0, method: 'getSignatureStatuses', params: [signatures] },
    { jsonrpc: '2.0', id: 1, method: 'getMultipleAccounts', params: [addresses, options] },
  ];
  for (;;) {
    const [statuses, accounts] = ((await rpc(calls)) as Reply[]).map(({ result }) => result) as [Statuses, Accounts];
    const owners = accounts.value.map(ownerOf);
    const isConfirmed = statuses.value.every((each) => each?.err === null && each.confirmationStatus !== 'processed');
    // the transfers of the bench are of lamports, so who owns the permits stays as it was
    if (isConfirmed && owners.every((owner) => owner !== '')) return accounts.context.slot;
    await sleep(POLL_MS);
  }
}

function ownerOf(account: Accounts['value'][number]): string {
  const data = Buffer.from(account?.data[0] ?? '', 'base64');
  return addressOf(data.subarray(OWNER_AT, OWNER_AT + PUBLIC_KEY_LENGTH));
}

function signatureOf({ signatures }: Given): string {
  return encodeBase58(signatures[0] ?? Buffer.alloc(0));
}

function toAnswer({ signature, address, ticket_id, tix_event_id }: Known, signer: string, destination: string) {
  return {
    transfer_id: signature,
    ticket_id,
    tix_event_id,
    tix_permit_id: address,
    signer_wallet: signer,
    destination_wallet: destination,
  };
}
