/**
 * The floor: a bare `node:http` server in a process of its own, over the server's PostgreSQL, that does for each path the same
 * signatures, statements and calls of the cluster, and nothing else: no router, limits, checks beyond the statement's, log or metrics.
 * It is forked with IPC and told its task.
 *
 * @module
 */
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { Agent, createServer, request as requestHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { addressOf } from '@fan-api/solana-wire/base58';
import { type ParsedTransaction, parseTransaction } from '@fan-api/solana-wire/parse-transaction';
import pg from 'pg';
import { tryUuidOf } from '../../src/platform/identifier/type-id.ts';
import type { FloorTask } from './open-floor.ts';
import type { PathName } from './paths.ts';

/** What a floor's handler works with. */
interface FloorContext extends FloorTask {
  query<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]>;
  /** @param body a JSON-RPC call, or several */
  rpc(body: object): Promise<unknown>;
}

/** Answers a request with the body of a JSON answer. */
type FloorHandler = (request: { authorization: string; body: string }) => Promise<string> | string;

/** A floor: made once, before the first request. */
type Floor = (context: FloorContext) => Promise<FloorHandler> | FloorHandler;

/** Of each path but claims: a bare server that follows the chain would be the service again. */
type Floors = Record<Exclude<PathName, 'claims'>, Floor>;

const signOffLoop = promisify(sign);
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ACCESS_HEADER = encode({ alg: 'RS256', typ: 'at+jwt', kid: 'floor' });
const ID_HEADER = encode({ alg: 'RS256', typ: 'JWT', kid: 'floor' });
const LIFETIME = 3600;

/** What tokens are made of: a row of the floor's statements. */
interface TokenRow {
  grant_id: string;
  fan_id: string;
  client_id: string;
  scope: string;
  actions: string[];
  mode: string;
  /** Seconds since the epoch. */
  auth_time: number;
  nonce: string | null;
}

/** The answer of the token endpoint: an access token and an ID token, signed in libuv's pool, which costs the event loop least. */
async function tokenAnswer(row: TokenRow, refreshToken: string): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  const iss = 'http://localhost:3000';
  const { grant_id, client_id, scope, mode, auth_time, nonce } = row;
  const accessToken = await jwt(ACCESS_HEADER, {
    iss,
    aud: 'svc-api',
    sub: row.fan_id,
    client_id,
    scope,
    granted_actions: row.actions,
    grant_id,
    mode,
    jti: randomBytes(16).toString('base64url'),
    iat,
    exp: iat + LIFETIME,
  });
  const at_hash = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
  const idClaims = { iss, sub: row.fan_id, aud: client_id, iat, exp: iat + LIFETIME, auth_time, at_hash, nonce };
  return JSON.stringify({
    token_type: 'Bearer',
    expires_in: LIFETIME,
    scope,
    granted_actions: row.actions,
    grant_id,
    mode,
    access_token: accessToken,
    id_token: await jwt(ID_HEADER, idClaims),
    refresh_token: refreshToken,
  });
}

async function jwt(header: string, payload: object): Promise<string> {
  const signed = `${header}.${encode(payload)}`;
  const signature = await signOffLoop('sha256', Buffer.from(signed), privateKey);
  return `${signed}.${signature.toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** As the database holds secrets. */
function hashOf(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('base64url');
}

const EXCHANGE = `
  with spent as (
    update authorization_code set used_at = now()
    where hash = $1 and client_id = $2 and used_at is null and expires_at > now() and redirect_uri = $3 and code_challenge = $4
    returning client_id, grant_id, nonce, authenticated_at
  ), family as (
    insert into refresh_token_family (handle_hash, secret_hash, client_id, grant_id, authenticated_at, expires_at)
    select $5, $6, client_id, grant_id, authenticated_at, now() + interval '30 days' from spent
  )
  select spent.client_id, spent.grant_id, spent.nonce, floor(extract(epoch from spent.authenticated_at))::int as auth_time,
    g.fan_id, g.scope, g.actions, c.mode
  from spent join consent_grant g on g.id = spent.grant_id join client c on c.id = spent.client_id`;

/** Spends the code and creates the refresh token in one statement, signs two RS256 tokens. */
const exchange: Floor =
  ({ query }) =>
  async ({ body }) => {
    const form = new URLSearchParams(body);
    const get = (name: string) => form.get(name) ?? '';
    const handle = randomBytes(16).toString('base64url');
    const secret = randomBytes(32).toString('base64url');
    const [row] = await query<TokenRow>('exchange', EXCHANGE, [
      hashOf(get('code')),
      tryUuidOf('client', get('client_id')),
      get('redirect_uri'),
      hashOf(get('code_verifier')),
      hashOf(handle),
      hashOf(secret),
    ]);
    if (!row) throw new Error('the code is wrong');
    return tokenAnswer(row, `rt_${handle}${secret}`);
  };

const REFRESH = `
  update refresh_token_family f set previous_secret_hash = $2, secret_hash = $3, rotated_at = now()
  from consent_grant g, client c
  where f.handle_hash = $1 and f.secret_hash = $2 and f.client_id = $4 and f.revoked_at is null and f.expires_at > now()
    and g.id = f.grant_id and g.revoked_at is null and c.id = f.client_id
  returning f.client_id, f.grant_id, null as nonce, floor(extract(epoch from f.authenticated_at))::int as auth_time,
    g.fan_id, g.scope, g.actions, c.mode`;

const HANDLE_BYTES = 16;

/** Rotates the refresh token in one statement, signs two RS256 tokens. */
const refresh: Floor =
  ({ query }) =>
  async ({ body }) => {
    const form = new URLSearchParams(body);
    const token = Buffer.from((form.get('refresh_token') ?? '').slice('rt_'.length), 'base64url');
    const handle = token.subarray(0, HANDLE_BYTES);
    const successor = randomBytes(32);
    const [row] = await query<TokenRow>('refresh', REFRESH, [
      hashOf(handle.toString('base64url')),
      hashOf(token.subarray(HANDLE_BYTES).toString('base64url')),
      hashOf(successor.toString('base64url')),
      tryUuidOf('client', form.get('client_id') ?? ''),
    ]);
    if (!row) throw new Error('the refresh token is wrong');
    return tokenAnswer(row, `rt_${Buffer.concat([handle, successor]).toString('base64url')}`);
  };

const GRANT = `
  select g.actions from consent_grant g join client c on c.id = g.client_id
  where g.id = $1 and g.revoked_at is null and c.status = 'enabled'`;

/** Verifies the token with a key that is kept, reads the grant in one statement. */
const userinfo: Floor = ({ query, tokenKey }) => {
  const key = createPublicKey({ key: tokenKey, format: 'jwk' });
  return async ({ authorization }) => {
    const [header = '', payload = '', signature = ''] = authorization.slice('Bearer '.length).split('.');
    // on the event loop: a verification is too short to be worth a way to the pool
    const valid = verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
    if (!valid) throw new Error('the token is wrong');
    const { sub, scope, grant_id, iss, aud } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
      string,
      string
    >;
    const [grant] = await query<{ actions: string[] }>('userinfo', GRANT, [tryUuidOf('grant', grant_id ?? '')]);
    return JSON.stringify({ sub, scope, granted_actions: grant?.actions, grant_id, iss, aud });
  };
};

/** The server's statement, and a JSON body of the same fields. No token. */
const tickets: Floor =
  ({ query, tickets }) =>
  async () => {
    const { name, text, values } = tickets.statement;
    const rows = await query<Record<string, string>>(name, text, values);
    const listed = rows.map((row) => ({
      id: row.id,
      svc_event_id: row.event_id,
      tix_event_id: row.tix_event_id,
      tix_ticket_id: row.tix_ticket_id,
      ticket_type_id: row.ticket_type_id,
      event_name: row.event_name,
      ticket_type_name: row.ticket_type_name,
      purchase_date: row.purchase_date,
    }));
    return JSON.stringify({ user_id: tickets.userId, tickets: listed });
  };

/** Copies of the server's tables, so that none of its jobs works on what the floor writes. */
const TABLES = [
  'create table if not exists floor_signature (like listing_signature including all)',
  'create table if not exists floor_audit (like audit_entry including all)',
];

/** Locks the permits and records each signature with its audit entry. */
const LISTINGS = `
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
const listings: Floor = async ({ query, rpc }) => {
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
    const hashes = parsed.map(({ message }) => hashOf(message));
    const [held] = await query<{ count: number }>('listings', LISTINGS, [hashes, permits]);
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

/** DER prefix of a raw Ed25519 key. @see RFC 8410 §4 */
const PUBLIC_KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Imports raw Ed25519 keys and keeps them: importing one costs a third of a verification. */
function keptPublicKeys(): (raw: Uint8Array | undefined) => KeyObject {
  const kept = new Map<string, KeyObject>();
  return (raw = Buffer.alloc(0)) => {
    const id = addressOf(raw);
    const der = Buffer.concat([PUBLIC_KEY_PREFIX, raw]);
    const key = kept.get(id) ?? createPublicKey({ key: der, format: 'der', type: 'spki' });
    kept.set(id, key);
    return key;
  };
}

const FLOORS: Floors = { exchange, refresh, userinfo, tickets, listings };

process.once('message', async (task: FloorTask) => {
  const handlers = await openHandlers(openContext(task));
  const server = createServer(async (request, response) => {
    try {
      const authorization = request.headers.authorization ?? '';
      const answer = await handlers[request.url ?? '']?.({ authorization, body: await textOf(request) });
      response.setHeader('content-type', 'application/json').end(answer);
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit(0));

async function openHandlers(context: FloorContext): Promise<Record<string, FloorHandler | undefined>> {
  const handlers: Record<string, FloorHandler | undefined> = {};
  for (const [name, floor] of Object.entries(FLOORS)) handlers[`/${name}`] = await floor(context);
  return handlers;
}

function openContext(task: FloorTask): FloorContext {
  const pool = new pg.Pool({ connectionString: task.databaseUrl, max: task.poolSize });
  const agent = new Agent({ keepAlive: true });
  const headers = { 'content-type': 'application/json' };
  const rpc: FloorContext['rpc'] = (body) =>
    new Promise((resolve, reject) => {
      const outgoing = requestHttp(task.rpcUrl, { agent, method: 'POST', headers }, (incoming) => {
        textOf(incoming).then((text) => resolve(JSON.parse(text)), reject);
      });
      // the network may have closed an idle connection at this moment
      outgoing.on('error', (error) => (outgoing.reusedSocket ? resolve(rpc(body)) : reject(error)));
      outgoing.end(JSON.stringify(body));
    });
  return {
    ...task,
    query: async (name, text, values) => (await pool.query({ name, text, values })).rows,
    rpc,
  };
}
