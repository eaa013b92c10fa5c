/**
 * The peer: oidc-provider over PostgreSQL in a process of its own. It is forked with IPC; the first message names its database, and each
 * later one asks for requests to a path.
 *
 * @module
 */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import pg, { type Pool } from 'pg';
import { bearerRequests, type Load, tokenRequests } from './load.ts';
import type { PeerTask } from './open-peer.ts';
import type { PathName } from './paths.ts';

const CLIENT_ID = 'bench';
const REDIRECT_URI = 'http://localhost:4000/callback';
const ACCOUNT = 'usr_1';
const SCOPE = 'openid profile offline_access';
/** Of the API, as the fan grants them. */
const API_SCOPE = 'fan:tickets:read fan:listings:write';
/** The API that access tokens are for. */
const RESOURCE = 'https://api.example.com';

const LIFETIME_SECONDS = 3600;

/** Its people. */
const ACCOUNTS = `create table account as select '${ACCOUNT}' as id; alter table account add primary key (id)`;

/** The client is in the database, as in our service: it can be registered, changed and disabled at any time. */
const CLIENT = {
  client_id: CLIENT_ID,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [REDIRECT_URI],
  application_type: 'native',
};

/**
 * The peer, set up as our service works: a public client with PKCE, RS256 with a key of 2,048 bits, refresh tokens that rotate, client
 * and person read from the database. Access tokens are JWTs for an API, so an exchange signs two, as ours does. Its userinfo endpoint takes
 * opaque ones only, of grants without that API.
 */
function createProvider(issuer: string, pool: Pool): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new Provider(issuer, {
    adapter: postgresAdapter(pool),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }] },
    claims: { openid: ['sub'], profile: ['name'] },
    cookies: { keys: ['a key of the bench'] },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: API_SCOPE,
          audience: RESOURCE,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    async findAccount(_ctx: unknown, sub: string) {
      const read = { name: 'account', text: 'select id from account where id = $1', values: [sub] };
      const { rowCount } = await pool.query(read);
      return rowCount === 0 ? undefined : { accountId: sub, claims: () => ({ sub }) };
    },
    rotateRefreshToken: true,
    ttl: { AccessToken: LIFETIME_SECONDS, AuthorizationCode: 600, Grant: 86_400, IdToken: 3600, RefreshToken: 86_400 },
  });
}

/**
 * Where oidc-provider keeps codes, grants and tokens: one table with an index for each way it is looked up here, one prepared statement
 * per call, the payload as JSON that is not parsed by PostgreSQL.
 */
const TABLE = `
  create table oidc_payload (
    model text not null,
    id text not null,
    payload json not null,
    grant_id text,
    consumed_at bigint,
    expires_at timestamptz,
    primary key (model, id)
  );
  create index on oidc_payload (grant_id) where grant_id is not null;
  create index on oidc_payload (expires_at)`;

interface Payload {
  grantId?: string;
  [field: string]: unknown;
}

interface Row {
  payload: Payload;
  consumed_at: string | null;
}

/** @see https://github.com/panva/node-oidc-provider/blob/main/example/my_adapter.js */
function postgresAdapter(pool: Pool) {
  return class PostgresAdapter {
    model: string;

    constructor(model: string) {
      this.model = model;
    }

    async upsert(id: string, payload: Payload, expiresIn?: number): Promise<void> {
      await pool.query({
        name: 'upsert',
        text: `insert into oidc_payload (model, id, payload, grant_id, expires_at)
          values ($1, $2, $3, $4, now() + make_interval(secs => $5)) on conflict (model, id)
          do update set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`,
        values: [this.model, id, JSON.stringify(payload), payload.grantId, expiresIn ?? null],
      });
    }

    async find(id: string): Promise<Payload | undefined> {
      const { rows } = await pool.query<Row>({
        name: 'find',
        text: `select payload, consumed_at from oidc_payload
          where model = $1 and id = $2 and (expires_at is null or expires_at > now())`,
        values: [this.model, id],
      });
      const [row] = rows;
      if (row === undefined) return undefined;
      return row.consumed_at === null ? row.payload : { ...row.payload, consumed: Number(row.consumed_at) };
    }

    async consume(id: string): Promise<void> {
      await pool.query({
        name: 'consume',
        text: `update oidc_payload set consumed_at = extract(epoch from now())::bigint where model = $1 and id = $2`,
        values: [this.model, id],
      });
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      await pool.query({
        name: 'revoke',
        text: 'delete from oidc_payload where model = $1 and grant_id = $2',
        values: [this.model, grantId],
      });
    }
  };
}

type Prepare = (provider: Provider, count: number) => Promise<Load>;

const AT_ONCE = 16;
const ACCESS_TOKENS = 100;

/** The paths that the peer has too, with requests made by its own models. */
const PREPARE: Partial<Record<PathName, Prepare>> = {
  async exchange(provider, count) {
    const bodies = await many(count, async () => {
      const verifier = randomBytes(32).toString('base64url');
      const code = await new provider.AuthorizationCode({
        ...(await apiTokenOf(provider)),
        codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
        codeChallengeMethod: 'S256',
        redirectUri: REDIRECT_URI,
        nonce: randomBytes(16).toString('base64url'),
      }).save();
      const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
      return formOf(form);
    });
    return tokenRequests('/token', bodies);
  },
  async refresh(provider, count) {
    const bodies = await many(count, async () => {
      const token = await new provider.RefreshToken({ ...(await apiTokenOf(provider)), rotations: 0 }).save();
      return formOf({ grant_type: 'refresh_token', refresh_token: token });
    });
    return tokenRequests('/token', bodies);
  },
  async userinfo(provider) {
    const tokens = await many(ACCESS_TOKENS, async () => {
      return new provider.AccessToken(await tokenOf(provider)).save();
    });
    return bearerRequests('/me', tokens);
  },
};

/** What codes and refresh tokens have: the access tokens made of them are JWTs for the API. */
async function apiTokenOf(provider: Provider) {
  return { ...(await tokenOf(provider)), scope: `${SCOPE} ${API_SCOPE}`, resource: RESOURCE };
}

/** What every code and token has, with a grant of its own. */
async function tokenOf(provider: Provider) {
  const client = await provider.Client.find(CLIENT_ID);
  const grant = new provider.Grant({ accountId: ACCOUNT, clientId: CLIENT_ID });
  grant.addOIDCScope(SCOPE);
  grant.addResourceScope(RESOURCE, API_SCOPE);
  const authTime = Math.floor(Date.now() / 1000);
  return {
    accountId: ACCOUNT,
    client,
    grantId: await grant.save(),
    gty: 'authorization_code',
    scope: SCOPE,
    authTime,
  };
}

function formOf(form: Record<string, string>): string {
  return new URLSearchParams({ client_id: CLIENT_ID, ...form }).toString();
}

async function many<Result>(count: number, make: () => Promise<Result>): Promise<Result[]> {
  const made: Result[] = [];
  while (made.length < count) {
    made.push(...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - made.length) }, make))));
  }
  return made;
}

process.once('message', async ({ databaseUrl, poolSize }: PeerTask) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  await pool.query(`${TABLE}; ${ACCOUNTS}`);
  await new (postgresAdapter(pool))('Client').upsert(CLIENT_ID, CLIENT);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = createProvider(origin, pool);
  server.on('request', provider.callback());
  process.on('message', async ({ path, count }: { path: PathName; count: number }) => {
    process.send?.((await PREPARE[path]?.(provider, count)) ?? null);
  });
  process.send?.(origin);
});
process.once('disconnect', () => process.exit(0));
