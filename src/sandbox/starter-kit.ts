import type { EntityManager } from '@mikro-orm/postgresql';
import type { WithChains } from '../chain/chains.ts';
import { Client } from '../entities/client.ts';
import { TestUser } from '../entities/test-user.ts';
import type { TicketType } from '../entities/ticket.ts';
import type { WithCustody } from '../keys/vault.ts';
import { editClient } from '../partners/client/edit-client.ts';
import { MAX_REDIRECT_URIS } from '../partners/client/lint-registration.ts';
import { registerClient } from '../partners/client/register-client.ts';
import { registerPartner } from '../partners/partner/register-partner.ts';
import { redirectUriFault } from '../partners/redirect-uri.ts';
import { SCOPES_IN_USE, type Scope } from '../partners/scopes.ts';
import type { Context, WithConfig, WriteContext } from '../platform/context.ts';
import { takeLock } from '../platform/database/advisory-lock.ts';
import type { Id } from '../platform/identifier/type-id.ts';
import { createTestEvent, type TestEventPlan } from './create-test-event.ts';
import { grantPermit } from './test-permits.ts';
import { createTestUser, type DescribedTestUser, describeTestUsers } from './test-users.ts';

/** What a developer needs for a first call, in the shape of `DATA_DIR/starter-kit.json`. */
export interface StarterKit {
  client_id: Id<'client'>;
  redirect_uris: string[];
  scopes: string[];
  /** Seconds: the SDK's `retryWindowSeconds`. */
  refresh_retry_window: number;
  test_users: DescribedTestUser[];
  auth_url: string;
  api_url: string;
  login_url: string;
  admin_url: string;
  /** Null where no test network can be reached. */
  rpc_url: string | null;
}

/** How a starter kit differs from the usual one. */
export interface KitPlan {
  /** How many test users it has. */
  users?: number | undefined;
  /** How many tickets each of them holds. */
  tickets?: number | undefined;
  /** Beside that of the playground. */
  redirectUris?: readonly string[] | undefined;
  scopes?: readonly Scope[] | undefined;
}

type KitContext = WriteContext & WithConfig & WithCustody & WithChains;

const ACTOR = 'system';
const PARTNER_NAME = 'Front Row';
const DAY_MS = 86_400_000;

/** The one that the documentation's samples use; nothing needs to listen there. */
export const REDIRECT_URI_OF_SAMPLES = 'http://localhost:4000/callback';

const REDIRECT_URIS = [
  REDIRECT_URI_OF_SAMPLES,
  'http://127.0.0.1:4000/callback',
  'http://localhost:4000/auth/callback/fan',
];

const EVENTS = [
  {
    name: 'Northern Lights Festival',
    venue: 'Harbour Park',
    timeZone: 'Europe/Berlin',
    inDays: 30,
    hours: 10,
    ticketTypes: ['Day pass', 'VIP'],
  },
  {
    name: 'The Paper Lanterns, Live',
    venue: 'Civic Hall',
    timeZone: 'Europe/London',
    inDays: 120,
    hours: 3,
    ticketTypes: ['Floor', 'Balcony'],
  },
  {
    name: 'City Derby',
    venue: 'Riverside Stadium',
    timeZone: 'Europe/London',
    inDays: 300,
    hours: 2,
    ticketTypes: ['North stand'],
  },
];

/** Which ticket types (event, type) each test user holds. */
const HOLDINGS = [
  ['0.0', '0.1', '1.0', '2.0'],
  ['0.0', '1.1', '2.0'],
];

/**
 * Provisions the starter kit on an empty database, by the functions that staff use. Where it exists, only the playground's redirect
 * URI is added, if the service runs at another origin than before.
 * @param plan of a kit that is not there yet
 * @returns the kit, or undefined on a database that began without one
 */
export async function provideStarterKit(context: KitContext, plan: KitPlan = {}): Promise<StarterKit | undefined> {
  await context.em.fork().transactional(async (em) => {
    await takeLock(em, 'starterKit');
    if ((await em.count(Client)) === 0) await provision({ ...context, em }, plan);
    else await addPlayground({ ...context, em });
  });
  return readKit(context);
}

async function addPlayground(context: KitContext): Promise<void> {
  const client = await findClient(context.em);
  if (!client || playgroundUris(context).every((uri) => client.redirectUris.includes(uri))) return;
  const redirectUris = [...playgroundUris(context), ...client.redirectUris].slice(0, MAX_REDIRECT_URIS);
  await editClient(context, { clientId: client.id, version: client.version, changes: { redirectUris } }, ACTOR);
}

async function provision(context: KitContext, plan: KitPlan): Promise<void> {
  const { users = HOLDINGS.length, tickets, redirectUris = REDIRECT_URIS, scopes = SCOPES_IN_USE } = plan;
  const partner = await registerPartner(context, PARTNER_NAME, ACTOR);
  registerClient(
    context,
    partner,
    {
      name: PARTNER_NAME,
      mode: 'sandbox',
      redirectUris: [...playgroundUris(context), ...redirectUris],
      scopes: [...scopes],
    },
    ACTOR,
  );
  const types = EVENTS.map((event) => createTestEvent(context, planOf(event, context.now()), ACTOR).ticketTypes);
  for (let user = 0; user < users; user++) {
    const { fan } = await createTestUser(context, partner, ACTOR);
    for (const ticketType of heldBy(user, tickets, types)) grantPermit(context, { fan, partner, ticketType }, ACTOR);
  }
  await context.em.flush();
}

/** The ticket types of a test user's tickets: those of `HOLDINGS`, or so many of all types in turn. */
function heldBy(user: number, tickets: number | undefined, types: TicketType[][]): TicketType[] {
  const usual = (HOLDINGS[user % HOLDINGS.length] ?? []).map((holding) => typeAt(types, holding));
  if (tickets === undefined) return usual;
  const all = types.flat();
  return Array.from({ length: tickets }, (_, index) => all[index % all.length]).filter((type) => type !== undefined);
}

type EventTemplate = (typeof EVENTS)[number];

/** A test event that starts at 18:00 UTC, some days ahead: an evening in the zones of the templates. */
export function planOf(event: EventTemplate, now: Date): TestEventPlan {
  const startsAt = new Date(Math.floor((now.getTime() + event.inDays * DAY_MS) / DAY_MS) * DAY_MS + 18 * 3_600_000);
  const endsAt = new Date(startsAt.getTime() + event.hours * 3_600_000);
  const { name, venue, timeZone, ticketTypes } = event;
  return { name, venue, timeZone, startsAt, endsAt, ticketTypes };
}

function typeAt(types: TicketType[][], holding: string): TicketType {
  const [event, type] = holding.split('.').map(Number);
  const found = types[event ?? -1]?.[type ?? -1];
  if (!found) throw new Error(`the starter kit has no ticket type ${holding}`);
  return found;
}

/** The playground's at this origin; none where a sandbox client can't have it. */
function playgroundUris({ config }: KitContext): string[] {
  const uri = `${new URL(config.authUrl).origin}/playground/callback`;
  return redirectUriFault(uri, 'sandbox') === undefined ? [uri] : [];
}

const findClient = (em: EntityManager): Promise<Client | null> =>
  em.findOne(
    Client,
    { mode: 'sandbox', partner: { name: PARTNER_NAME } },
    { orderBy: { id: 'asc' }, populate: ['partner'] },
  );

async function readKit(context: KitContext): Promise<StarterKit | undefined> {
  const { em } = context;
  const client = await findClient(em);
  if (!client) return undefined;
  const testUsers = await em.find(
    TestUser,
    { partner: client.partner },
    { populate: ['fan'], orderBy: { fan: 'asc' }, limit: HOLDINGS.length },
  );
  return describeKit(context, client, testUsers);
}

/** Describes a sandbox client, test users with their wallets, and the service's URLs. */
export async function describeKit(
  { em, config, chains }: Pick<Context, 'em' | 'config'> & WithChains,
  client: Client,
  testUsers: readonly TestUser[],
): Promise<StarterKit> {
  return {
    client_id: client.id,
    redirect_uris: client.redirectUris,
    scopes: client.scopes,
    refresh_retry_window: client.refreshRetryWindow,
    test_users: await describeTestUsers(em, testUsers),
    auth_url: config.authUrl,
    api_url: config.apiUrl,
    login_url: config.loginUrl,
    admin_url: config.adminUrl,
    rpc_url: chains.sandbox?.publicRpcUrl ?? null,
  };
}
