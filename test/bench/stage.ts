import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openChains } from '../../adapters/process/open-chains.ts';
import { openRuntime } from '../../adapters/process/runtime.ts';
import { AuthorizationCode } from '../../src/entities/authorization-code.ts';
import { Client } from '../../src/entities/client.ts';
import { ConsentGrant } from '../../src/entities/consent-grant.ts';
import { RefreshTokenFamily } from '../../src/entities/refresh-token-family.ts';
import { AUTHORIZATION_CODE_LIFETIME } from '../../src/oauth/lifetimes.ts';
import { challengeOf } from '../../src/oauth/pkce.ts';
import { hashesOf, newRefreshToken } from '../../src/oauth/token/refresh-token.ts';
import { actionsOf } from '../../src/partners/scopes.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import { hashOf, newAuthorizationCode } from '../../src/platform/identifier/secret-value.ts';
import type { Id } from '../../src/platform/identifier/type-id.ts';
import { after } from '../../src/platform/time.ts';
import { createContext, type ServiceContext } from '../../src/runtime.ts';
import { createTestEvent } from '../../src/sandbox/create-test-event.ts';
import type { StarterKit } from '../../src/sandbox/starter-kit.ts';
import { grantPermit } from '../../src/sandbox/test-permits.ts';
import { createTestUser } from '../../src/sandbox/test-users.ts';
import type { Load } from './load.ts';
import { type Market, openMarket } from './market.ts';
import { PATHS, type PathName } from './paths.ts';

/** What prepares the requests of a server: it works on the server's database and cluster, with the server's own code. */
export interface Stage {
  config: Config;
  kit: StarterKit;
  databaseUrl: string;
  /** Process of a connection to the database. */
  backend: number;
  /** A context for one piece of work. */
  context(): ServiceContext;
  /** The permits, marketplace and fans of the benches of listings and claims, opened on first use. */
  market(): Promise<Market>;
  /** @param count how many requests, where each may be sent once */
  prepare(path: PathName, count: number): Promise<Load>;
  close(): Promise<void>;
}

/** @param env the environment of the server */
export async function openStage(env: Record<string, string>, kit: StarterKit): Promise<Stage> {
  const config = readConfig(env);
  const { runtime, databaseUrl, close } = await openRuntime({ ...config, logLevel: 'silent' }, { share: true });
  const context = () => createContext(runtime, null);
  const { rows } = await context().pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  let market: Promise<Market> | undefined;
  const stage: Stage = {
    config,
    kit,
    databaseUrl,
    backend: rows[0]?.pid ?? 0,
    context,
    market() {
      market ??= openChains(runtime).then(({ chains }) => openMarket(createContext({ ...runtime, chains }, null), kit));
      return market;
    },
    prepare: (path, count) => PATHS[path].prepare(stage, count),
    close,
  };
  return stage;
}

const SCOPE = 'openid profile offline_access fan:tickets:read fan:listings:write';
const REDIRECT_URI = 'http://localhost:4000/callback';
const DAY = 86_400;
const ISSUING_PATIENCE_MS = 60_000;

/** Creates a grant of all tickets for a day. The caller flushes. @param actions that the fan allowed */
export function createGrant(
  { em, now }: Pick<ServiceContext, 'em' | 'now'>,
  kit: StarterKit,
  fan: Id<'usr'>,
  scope = SCOPE,
  actions: string[] = actionsOf(SCOPE.split(' ')),
): ConsentGrant {
  return em.create(ConsentGrant, {
    fan,
    client: kit.client_id,
    scope,
    actions,
    consentedActions: actions,
    mode: 'all_current_future',
    ticketIds: [],
    createdAt: now(),
    endsAfter: after(now(), DAY),
  });
}

const fans = new WeakMap<Stage, Promise<Id<'usr'>>>();

/**
 * The test user of exchanges and refreshes, made on first use. Nobody who sells tickets: these paths leave a grant for each request, and
 * a claim looks through the grants of the seller.
 */
function signedInFan(stage: Stage): Promise<Id<'usr'>> {
  const fan = fans.get(stage) ?? makeFan(stage.context(), stage.kit).then(({ fan }) => fan.id);
  fans.set(stage, fan);
  return fan;
}

async function makeFan(context: ServiceContext, kit: StarterKit) {
  const { partner } = await context.em.findOneOrFail(Client, { id: kit.client_id }, { populate: ['partner'] });
  const { fan } = await createTestUser(context, partner, 'system');
  await context.em.flush();
  return { fan, partner };
}

/**
 * Issues codes as consent does, each with a grant and a verifier of its own, but without a login page before each.
 * @returns the forms that exchange them
 */
export async function issueCodes(stage: Stage, count: number, given?: Id<'usr'>): Promise<string[]> {
  const fan = given ?? (await signedInFan(stage));
  const { kit } = stage;
  const context = stage.context();
  const { em, now } = context;
  const forms = Array.from({ length: count }, () => {
    const verifier = randomBytes(32).toString('base64url');
    const code = newAuthorizationCode();
    em.create(AuthorizationCode, {
      hash: hashOf(code),
      client: kit.client_id,
      grant: createGrant(context, kit, fan),
      redirectUri: REDIRECT_URI,
      codeChallenge: challengeOf(verifier),
      nonce: randomBytes(16).toString('base64url'),
      authenticatedAt: now(),
      expiresAt: after(now(), AUTHORIZATION_CODE_LIFETIME),
    });
    const form = { code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
    const given = { grant_type: 'authorization_code', client_id: kit.client_id, ...form };
    return new URLSearchParams(given).toString();
  });
  await em.flush();
  return forms;
}

/** Issues refresh tokens of a test user, each of a grant of its own. */
export async function issueRefreshTokens(stage: Stage, count: number): Promise<string[]> {
  const fan = await signedInFan(stage);
  const context = stage.context();
  const { em, now, config } = context;
  const tokens = Array.from({ length: count }, () => {
    const token = newRefreshToken();
    em.create(RefreshTokenFamily, {
      ...hashesOf(token),
      client: stage.kit.client_id,
      grant: createGrant(context, stage.kit, fan),
      authenticatedAt: now(),
      expiresAt: after(now(), config.refreshTokenTtl),
    });
    return token;
  });
  await em.flush();
  return tokens;
}

/** The access tokens of codes. */
export async function exchangeAll({ config }: Stage, forms: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const form of forms) {
    const answer = await fetch(`${config.authUrl}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });
    const body = (await answer.json()) as { access_token?: string };
    if (body.access_token === undefined) throw new Error(`no token: ${answer.status} ${JSON.stringify(body)}`);
    tokens.push(body.access_token);
  }
  return tokens;
}

/** A test event of tomorrow, with one type of ticket. */
export function testEvent(context: ServiceContext) {
  const startsAt = after(context.now(), DAY);
  const plan = { name: 'An evening', venue: null, startsAt, endsAt: after(startsAt, DAY), ticketTypes: ['Standing'] };
  const { event, ticketTypes } = createTestEvent(context, plan, 'system');
  const [ticketType] = ticketTypes;
  if (!ticketType) throw new Error('the test event has no ticket type');
  return { event, ticketType };
}

/**
 * Creates a test user with `count` tickets of one event, and waits until the server has issued their permits.
 * @returns the id of that fan
 */
export async function createTicketHolder({ kit, ...stage }: Stage, count: number): Promise<Id<'usr'>> {
  const context = stage.context();
  const { fan, partner } = await makeFan(context, kit);
  const { ticketType } = testEvent(context);
  for (let at = 0; at < count; at += 1) grantPermit(context, { fan, partner, ticketType }, 'system');
  await context.em.flush();
  const givenUpAt = performance.now() + ISSUING_PATIENCE_MS;
  while ((await context.pool.query('select from permit where issued_at is null')).rowCount !== 0) {
    if (performance.now() > givenUpAt) throw new Error('the server does not issue the permits');
    await sleep(250);
  }
  return fan.id;
}
