import { randomUUID } from 'node:crypto';
import type { Simulation } from '../../entities/simulation.ts';
import type { WithKeys } from '../../keys/key-ring.ts';
import { requireUnsimulated, unsimulated, type WithSimulation } from '../../partners/client/simulated-client.ts';
import type { Context } from '../../platform/context.ts';
import type { WithDoubts } from '../../platform/database/doubts.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { givenRows, shareStatement } from '../../platform/database/share-statement.ts';
import { untilKnown } from '../../platform/database/until-known.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { idOf, tryUuidOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { OAuthError } from '../../platform/oauth-error.ts';
import { after } from '../../platform/time.ts';
import { revokeGrant } from '../grant/revoke-grant.ts';
import { challengeOf, isCodeVerifier } from '../pkce.ts';
import {
  epochSeconds,
  GRANT_COLUMNS,
  type GrantRow,
  grantSubject,
  type IssuedTokens,
  issueTokens,
} from './issue-tokens.ts';
import { refuseClientFirst, unknownClient } from './known-client.ts';
import { askToRepeat } from './lost-answer.ts';
import { hashesOf, newRefreshToken, type RefreshTokenValue } from './refresh-token.ts';

/** A token request with `grant_type=authorization_code`. */
export interface CodeExchange {
  clientId: string;
  code: string;
  redirectUri: string;
  codeVerifier: string;
}

/** What the statement that spends a code is given. */
interface GivenExchange {
  hash: string;
  client: Uuid;
  redirect_uri: string;
  challenge: string;
  handle_hash: string;
  secret_hash: string;
  refresh_expires_at: Date;
  now: Date;
  call: string;
  process: string;
  /** The call whose exchange is made again. */
  repeated: string | null;
  /** Whether what is simulated for the client is known. */
  simulated: boolean;
}

interface SpentCode extends GrantRow {
  n: number;
  redirect_uri: string;
  code_challenge: string;
  nonce: string | null;
  refreshable: boolean;
}

/**
 * One round trip: spends the code if it is live and this client's, and creates the refresh token family if the rest of the
 * request is right too. A wrong redirect URI or verifier also spends the code. A code that this call has spent already, or
 * whose exchange it repeats, is spent again; what the repeated exchange has issued ends.
 */
const spendCode = shareStatement<GivenExchange, SpentCode>(
  (busy) => `
  with given as (
    select e.* from ${givenRows(`hash text, client uuid, redirect_uri text, challenge text, handle_hash text, secret_hash text,
      refresh_expires_at timestamptz, now timestamptz, call uuid, process uuid, repeated uuid, simulated boolean`)} e
    cross join lateral (select from authorization_code c where c.hash = e.hash for update ${busy}) held
  ), spent as (
    update authorization_code c set used_at = e.now, used_in = e.call, used_by = e.process from given e join client k on k.id = e.client
    where ${unsimulated('k', 'e.simulated')} and c.hash = e.hash and c.client_id = e.client
      and (c.used_at is null and c.expires_at > e.now or c.used_in = e.call or c.used_in = e.repeated and c.expires_at > e.now)
    returning c.client_id, c.grant_id, c.redirect_uri, c.code_challenge, c.nonce, c.authenticated_at, e.n
  ), live as (
    select spent.*, g.scope ~ '(^| )offline_access( |$)' and 'offline_access' = any(c.scopes) as refreshable,
      ${GRANT_COLUMNS}
    from spent join consent_grant g on g.id = spent.grant_id join client c on c.id = spent.client_id
  ), correct as (
    select l.*, e.handle_hash, e.secret_hash, e.refresh_expires_at, e.now, e.repeated from live l join given e on e.n = l.n
    where l.live and l.redirect_uri = e.redirect_uri and l.code_challenge = e.challenge
  ), repeated as (
    update refresh_token_family f set revoked_at = c.now from correct c
    where c.repeated is not null and f.grant_id = c.grant_id and f.handle_hash <> c.handle_hash and f.revoked_at is null
  ), family as (
    insert into refresh_token_family (handle_hash, secret_hash, client_id, grant_id, authenticated_at, expires_at)
    select handle_hash, secret_hash, client_id, grant_id, authenticated_at, refresh_expires_at from correct where refreshable
    on conflict (handle_hash) do nothing
  )
  select live.*, floor(extract(epoch from authenticated_at))::int as auth_time from live`,
);

type ExchangeContext = Pick<Context, 'em' | 'pool' | 'config' | 'now' | 'requestId' | 'log'> &
  WithKeys &
  WithDoubts &
  WithSimulation;

/** A code exchange with what is made of it. */
interface Presented {
  hash: string;
  client: Uuid;
  redirectUri: string;
  challenge: string;
  refreshToken: RefreshTokenValue;
  refreshExpiresAt: Date;
  now: Date;
}

/** Times are in milliseconds since the epoch. `answered`: the refresh token of the exchange has been used, so its answer arrived. */
const readCode = prepared<{
  client_id: Uuid;
  grant_id: Uuid;
  used_at: number | null;
  used_in: string | null;
  used_by: string | null;
  expires_at: number;
  answered: boolean;
  simulation: Simulation | null;
}>(`
  select client_id, grant_id, used_in, used_by, extract(epoch from used_at)::float8 * 1000 as used_at,
    extract(epoch from expires_at)::float8 * 1000 as expires_at,
    exists (
      select from refresh_token_family f where f.grant_id = authorization_code.grant_id and f.rotated_at is not null
    ) as answered,
    (select simulation from client where id = client_id) as simulation
  from authorization_code where hash = $1`);

/**
 * Exchanges an authorization code for tokens. Where the answer to an exchange was lost by us, its repeat is exchanged (D-226).
 * @throws OAuthError `invalid_request` naming what is wrong
 * @throws DomainError `unavailable` where the outcome is not known
 * @throws ClientIsSimulated
 * @deviation RFC 6749 §5.2: a wrong code, redirect URI or verifier is `invalid_request`, as spec §7 says, not `invalid_grant`
 * @see spec §5.8, RFC 6749 §4.1.3, RFC 7636 §4.6
 */
export async function exchangeCode(context: ExchangeContext, exchange: CodeExchange): Promise<IssuedTokens> {
  const now = context.now();
  const client = tryUuidOf('client', exchange.clientId);
  if (client === undefined) throw unknownClient();
  const presented: Presented = {
    hash: hashOf(exchange.code),
    client,
    redirectUri: exchange.redirectUri,
    challenge: answeredChallenge(exchange.codeVerifier),
    refreshToken: newRefreshToken(),
    refreshExpiresAt: after(now, context.config.refreshTokenTtl),
    now,
  };
  const spent = (await spend(context, presented)) ?? (await repeat(context, presented));
  if (spent.redirect_uri !== exchange.redirectUri) {
    throw new OAuthError('invalid_request', 'redirect_uri does not match the authorize request');
  }
  if (spent.code_challenge !== presented.challenge) {
    throw new OAuthError('invalid_request', 'Invalid PKCE code_verifier');
  }
  if (!spent.live) throw new OAuthError('invalid_request', 'code was revoked');
  const { refreshToken, refreshExpiresAt } = presented;
  const response = await issueTokens(context, {
    ...grantSubject(spent, spent.scope.split(' ')),
    clientId: idOf('client', client),
    issuedAt: now,
    nonce: spent.nonce,
    refreshToken: spent.refreshable ? { value: refreshToken, expiresAt: epochSeconds(refreshExpiresAt) } : null,
  });
  return { response, grant: spent.grant_id, fan: spent.fan_id };
}

/** The challenge of a verifier; empty for a malformed one, which matches none. @see RFC 7636 §4.1, §4.6 */
function answeredChallenge(verifier: string): string {
  return isCodeVerifier(verifier) ? challengeOf(verifier) : '';
}

/**
 * @param repeated the call whose exchange is made again
 * @returns undefined where the code cannot be spent
 * @throws DomainError `unavailable` where this call may have spent it itself, without having seen the answer
 */
async function spend(
  context: ExchangeContext,
  { hash, client, redirectUri, challenge, refreshToken, refreshExpiresAt, now }: Presented,
  repeated: string | null = null,
): Promise<SpentCode | undefined> {
  const { handleHash, secretHash } = hashesOf(refreshToken);
  const { result, again } = await untilKnown(context, randomUUID(), (call) => {
    const given = {
      hash,
      client,
      redirect_uri: redirectUri,
      challenge,
      handle_hash: handleHash,
      secret_hash: secretHash,
      refresh_expires_at: refreshExpiresAt,
      now,
      call: call.id,
      process: call.process,
      repeated,
      simulated: context.simulated !== undefined,
    };
    // what others do is no matter of a call that looks for its own work
    return call.again || repeated !== null
      ? spendCode.alone(context.pool, given)
      : spendCode.together(context.pool, given);
  });
  if (result === undefined && again) throw askToRepeat();
  return result;
}

/**
 * Repeats an exchange whose answer was lost.
 * @throws OAuthError why else the code was not spent. A second use means that the code leaked or was sent twice: its grant is revoked
 * (RFC 6749 §4.1.2)
 */
async function repeat(context: ExchangeContext, presented: Presented): Promise<SpentCode> {
  const { hash, client, now } = presented;
  const [code] = await readCode(context.pool, [hash]);
  const invalidCode = new OAuthError('invalid_request', 'code is invalid or expired');
  if (!code) throw await refuseClientFirst(context, client, invalidCode);
  if (code.client_id !== client)
    throw new OAuthError('invalid_request', 'client_id does not match the authorize request');
  requireUnsimulated(context, client, code.simulation);
  if (code.used_at === null) throw invalidCode;
  const grantId = idOf('grant', code.grant_id);
  const exchange = { id: code.used_in, process: code.used_by, at: new Date(code.used_at) };
  if (code.expires_at > now.getTime() && !code.answered && (await context.doubts.concern(exchange, now))) {
    const spent = await spend(context, presented, code.used_in);
    if (spent === undefined) throw askToRepeat();
    context.log.warn({ requestId: context.requestId, grant: grantId }, 'an exchange whose answer was lost is repeated');
    return spent;
  }
  await revokeGrant(context, { grantId, reason: 'code_reuse', actor: `client:${idOf('client', client)}` });
  throw new OAuthError('invalid_request', 'code has been used already');
}
