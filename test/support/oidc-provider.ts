import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { listen } from './listen.ts';

/** A person at the company's provider. */
export interface ProviderPerson {
  sub: string;
  name: string;
  email: string;
  groups: string[];
}

/** The company's OIDC provider: `oidc-provider` from npm, with a sign-in page that asks nobody anything. */
export interface TestProvider {
  issuer: string;
  /** Who signs in whenever the provider asks. */
  person: ProviderPerson;
  /** The paths of all requests so far. */
  requested: string[];
  /** How often it asked somebody to sign in. */
  asked: number;
  /** Answers requests with this instead, where it is set: a provider that is out of order. */
  outOfOrder: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Says this of itself instead of the truth, where it is set. */
  discovery: Record<string, unknown> | undefined;
  /** Registers the console. @param metadata more of the client's registration */
  register(adminUrl: string, metadata?: Record<string, unknown>): Record<string, string>;
  stop(): Promise<void>;
}

export const CLIENT_SECRET = 'a secret of the console, long enough';

export const ADA: ProviderPerson = { sub: 'ada', name: 'Ada Admin', email: 'ada@corp.example', groups: ['boss'] };
export const BOB: ProviderPerson = { sub: 'bob', name: 'Bob Reviewer', email: 'bob@corp.example', groups: ['review'] };

export interface ProviderOptions {
  /** Else they are in userinfo only, as the standard has it. */
  groupsInIdToken?: boolean;
  /**
   * How clients authenticate at the token endpoint, and no other way; the console is registered with the first. Basic
   * by default.
   */
  authMethods?: string[];
  /** Of the console. */
  secret?: string;
}

export async function startProvider(options: ProviderOptions = {}): Promise<TestProvider> {
  const { authMethods = ['client_secret_basic', 'none'], secret = CLIENT_SECRET } = options;
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    running.requested.push(request.url ?? '');
    if (running.outOfOrder) running.outOfOrder(request, response);
    else if (running.discovery && request.url === '/.well-known/openid-configuration') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(running.discovery));
    } else if (request.url?.startsWith('/interaction/')) void signIn(request, response);
    else provider?.callback()(request, response);
  });
  const { url: issuer, stop } = await listen(server);
  const people = new Map<string, ProviderPerson>();

  async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    running.asked += 1;
    await provider?.interactionFinished(request, response, { login: { accountId: running.person.sub } });
  }

  const running: TestProvider = {
    issuer,
    person: ADA,
    requested: [],
    asked: 0,
    outOfOrder: undefined,
    discovery: undefined,
    register(adminUrl, metadata = {}) {
      provider = new Provider(issuer, {
        clients: [
          {
            client_id: 'console',
            client_secret: secret,
            token_endpoint_auth_method: authMethods[0],
            redirect_uris: [`${adminUrl}/auth/callback`],
            post_logout_redirect_uris: [`${adminUrl}/auth/signed-out`],
            ...metadata,
          },
        ],
        clientAuthMethods: authMethods,
        claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
        conformIdTokenClaims: options.groupsInIdToken !== true,
        ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
        cookies: { keys: ['a key of the test provider'] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_ctx: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
        findAccount: (_ctx: unknown, sub: string) => {
          if (running.person.sub === sub) people.set(sub, running.person);
          return { accountId: sub, claims: () => people.get(sub) };
        },
        loadExistingGrant: grantEverything,
      });
      provider.use(refuseOtherMethods(authMethods[0]));
      return {
        STAFF_OIDC_ISSUER: issuer,
        STAFF_OIDC_CLIENT_ID: 'console',
        STAFF_OIDC_CLIENT_SECRET: secret,
        STAFF_ROLE_GROUPS: 'support=helpdesk,reviewer=review,admin=boss',
      };
    },
    stop,
  };
  return running;
}

/**
 * The package takes a secret in the form from a client that is registered for Basic, and the reverse. Real providers do
 * not.
 */
function refuseOtherMethods(registered: string | undefined): Parameters<Provider['use']>[0] {
  return async (ctx, next) => {
    await next();
    if (ctx.path !== '/token') return;
    const inHeader = ctx.headers.authorization !== undefined;
    const inForm = ctx.oidc?.body?.client_secret !== undefined;
    if ((inHeader && registered !== 'client_secret_basic') || (inForm && registered !== 'client_secret_post')) {
      ctx.status = 401;
      ctx.body = { error: 'invalid_client', error_description: `use ${registered}` };
    }
  };
}

/** Consent is no matter within a company. */
async function grantEverything(ctx: {
  oidc: {
    provider: Provider;
    client: { clientId: string };
    session: { accountId: string };
  };
}) {
  const { provider, client, session } = ctx.oidc;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope('openid profile email groups');
  await grant.save();
  return grant;
}
