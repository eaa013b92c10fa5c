/**
 * The authorization server as a partner's client calls it: sign-in with PKCE, state and nonce, refresh, revocation. The protocol
 * is oauth4webapi's; here are the service's own rules and what must be checked besides.
 *
 * @module
 */
import * as oauth from 'oauth4webapi';
import { CheckError, OAuthError, textIn } from './errors.ts';
import { checkAccessTokenHash, checkErrorOf } from './id-token-checks.ts';
import type { components } from './openapi.ts';
import { sendRepeating, type TransportOptions } from './transport.ts';

export interface AuthServerOptions extends TransportOptions {
  /** The issuer, such as `https://auth.example.com`, without a slash at the end. http is for loopback addresses only. */
  issuer: string;
  clientId: string;
  /** Registered for the client, character for character. */
  redirectUri: string;
  /** How far the clocks of this machine and of the service may differ when an ID token is checked; 180 by default. */
  clockToleranceSeconds?: number | undefined;
}

/** The token response. @see spec §5.9 */
export type TokenResponse = components['schemas']['TokenResponse'];

/** What came of an exchange or a refresh: plain data, for JSON. */
export interface TokenSet {
  response: TokenResponse;
  /** When the access token expires, in milliseconds since the epoch by this machine's clock, whatever the service's clock says. */
  expiresAt: number;
  /** Claims of the checked ID token; undefined without the scope `openid`. */
  claims?: oauth.IDToken | undefined;
}

/** What must be kept between the start of a sign-in and its callback, with the browser's session: plain data, for JSON. */
export interface SignInAttempt {
  state: string;
  /** Undefined without the scope `openid`: then there is no ID token. */
  nonce: string | undefined;
  codeVerifier: string;
  redirectUri: string;
}

export interface SignInChoice {
  /** With spaces between, such as `openid offline_access fan:tickets:read`. */
  scope: string;
  /** A phone number (E.164) that the page has filled in. */
  loginHint?: string | undefined;
  /** Languages of the pages, best first. */
  uiLocales?: string | undefined;
}

export interface RefreshChoice {
  /** Narrows the scope of the new access token. */
  scope?: string | undefined;
  /** The fan of the tokens so far: an ID token of another one is refused. @see OIDC Core §12.2 */
  sub?: string | undefined;
}

export interface AuthServer {
  readonly clientId: string;
  /** The discovery document, read once. */
  metadata(): Promise<oauth.AuthorizationServer>;
  /** Makes the address that the browser is sent to, and what must be kept until it comes back. */
  startSignIn(choice: SignInChoice): Promise<{ url: string; attempt: SignInAttempt }>;
  /**
   * Checks the callback, exchanges its code and checks the ID token. An attempt is for one callback: forget it before you call this.
   * @throws CheckError where a check fails @throws OAuthError where the service or the fan refuses
   * @throws NoAnswerError where no answer came: the code is then spent, and the fan signs in again
   */
  finishSignIn(callback: URL | URLSearchParams, attempt: SignInAttempt): Promise<TokenSet>;
  /**
   * Uses a refresh token. It works once: call it by way of a session, which takes care of that.
   * @throws as `finishSignIn`
   */
  refresh(refreshToken: string, choice?: RefreshChoice): Promise<TokenSet>;
  /** Ends a token and with it the grant of that sign-in. @see RFC 7009 */
  revoke(token: string): Promise<void>;
}

const CLOCK_TOLERANCE_SECONDS = 180;
/** Sent once: the session decides whether to send it again, and other callers wait for it. */
const REFRESH: TransportOptions = { maxAttempts: 1, timeoutMs: 10_000 };

/** @throws TypeError where the issuer is neither https nor on a loopback address */
export function openAuthServer(options: AuthServerOptions): AuthServer {
  const issuer = new URL(options.issuer);
  if (issuer.protocol !== 'https:' && !isLoopback(issuer)) throw new TypeError(`${options.issuer} must be https.`);
  const client: oauth.Client = {
    client_id: options.clientId,
    [oauth.clockTolerance]: options.clockToleranceSeconds ?? CLOCK_TOLERANCE_SECONDS,
  };
  /** @param lost whether a call without an answer is repeated: reads are, a code or a refresh token is not sent again here */
  const calls = (lost: boolean, limits: TransportOptions = {}) => ({
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
    [oauth.customFetch]: (url: string, init: object) =>
      sendRepeating(new Request(url, init), { ...options, ...limits }, { lost }),
  });

  let known: Promise<oauth.AuthorizationServer> | undefined;
  async function discover(): Promise<oauth.AuthorizationServer> {
    const response = await oauth.discoveryRequest(issuer, calls(true));
    const metadata = await checked(() => oauth.processDiscoveryResponse(issuer, response));
    if (metadata.issuer !== options.issuer) throw new CheckError('iss', `Another issuer: ${metadata.issuer}`);
    return metadata;
  }
  const metadata = () => {
    known ??= discover().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };

  async function tokensOf(
    response: Response,
    sentAt: number,
    read: () => Promise<oauth.TokenEndpointResponse>,
  ): Promise<TokenSet> {
    await refuse(response);
    const body = await checked(read);
    const claims = oauth.getValidatedIdTokenClaims(body);
    if (claims !== undefined) await checkAccessTokenHash(claims.at_hash, body.access_token);
    return {
      // the library writes the type in lower case
      response: { ...body, token_type: 'Bearer' } as unknown as TokenResponse,
      expiresAt: sentAt + (body.expires_in ?? 0) * 1_000,
      ...(claims && { claims }),
    };
  }

  async function checkSignature(server: oauth.AuthorizationServer, response: Response): Promise<void> {
    try {
      await oauth.validateApplicationLevelSignature(server, response, calls(true));
    } catch (error) {
      const isUnknownKey = error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;
      if (!isUnknownKey) throw error;
      // The key may be newer than the cached ones. The library caches keys by this object, and fetches them again only after a minute.
      const fresh = { ...server };
      known = Promise.resolve(fresh);
      await oauth.validateApplicationLevelSignature(fresh, response, calls(true));
    }
  }

  return {
    clientId: options.clientId,
    metadata,

    async startSignIn({ scope, loginHint, uiLocales }) {
      const attempt: SignInAttempt = {
        state: oauth.generateRandomState(),
        nonce: scope.split(' ').includes('openid') ? oauth.generateRandomNonce() : undefined,
        codeVerifier: oauth.generateRandomCodeVerifier(),
        redirectUri: options.redirectUri,
      };
      const parameters = {
        response_type: 'code',
        client_id: options.clientId,
        redirect_uri: attempt.redirectUri,
        scope,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await codeChallengeOf(attempt.codeVerifier),
        code_challenge_method: 'S256',
        login_hint: loginHint,
        ui_locales: uiLocales,
      };
      const url = new URL((await metadata()).authorization_endpoint ?? '');
      for (const [name, value] of Object.entries(parameters)) {
        if (value !== undefined) url.searchParams.set(name, value);
      }
      return { url: url.href, attempt };
    },

    async finishSignIn(callback, { state, nonce, codeVerifier, redirectUri }) {
      const server = await metadata();
      const parameters = await checked(async () => oauth.validateAuthResponse(server, client, callback, state));
      const none = oauth.None();
      const sentAt = Date.now();
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        none,
        parameters,
        redirectUri,
        codeVerifier,
        calls(false),
      );
      const tokens = await tokensOf(response, sentAt, () =>
        oauth.processAuthorizationCodeResponse(
          server,
          client,
          response,
          nonce === undefined ? {} : { expectedNonce: nonce, requireIdToken: true },
        ),
      );
      if (tokens.claims) await checked(() => checkSignature(server, response));
      return tokens;
    },

    // The ID token came from the issuer over TLS: its signature is not checked, since fetching keys could fail and lose the refresh token.
    async refresh(refreshToken, { scope, sub } = {}) {
      const server = await metadata();
      const sentAt = Date.now();
      const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, {
        ...calls(false, REFRESH),
        ...(scope !== undefined && { additionalParameters: { scope } }),
      });
      const tokens = await tokensOf(response, sentAt, () =>
        oauth.processRefreshTokenResponse(server, client, response),
      );
      if (tokens.claims && sub !== undefined && tokens.claims.sub !== sub) {
        throw new CheckError('sub', `The ID token is of another fan: ${tokens.claims.sub}`);
      }
      return tokens;
    },

    async revoke(token) {
      const body = new URLSearchParams({ token, client_id: options.clientId });
      const url = (await metadata()).revocation_endpoint ?? '';
      await refuse(await sendRepeating(new Request(url, { method: 'POST', body }), options, { lost: true }));
    },
  };
}

/** BASE64URL(SHA256(verifier)). @see RFC 7636 §4.2 */
export function codeChallengeOf(verifier: string): Promise<string> {
  return oauth.calculatePKCECodeChallenge(verifier);
}

/** 256 random bits in base64url: a `state`, a `nonce`, or a code verifier (RFC 7636 §4.1). */
export function randomValue(): string {
  return oauth.generateRandomCodeVerifier();
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** @throws OAuthError for any status but 200 */
async function refuse(response: Response): Promise<void> {
  if (response.status === 200) return;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  throw new OAuthError(textIn(body, 'error') ?? 'server_error', textIn(body, 'error_description'), response);
}

/** Turns the library's errors into the SDK's own. */
async function checked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw checkErrorOf(error);
  }
}
