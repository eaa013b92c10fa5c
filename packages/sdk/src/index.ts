/**
 * The SDK's part for every platform: sign-in, tokens, typed calls, errors. Stores are in `@fan-api/sdk/browser` and
 * `@fan-api/sdk/node`, transactions in `@fan-api/sdk/web3` and `@fan-api/sdk/kit`.
 *
 * @module
 */
export {
  type AuthServer,
  type AuthServerOptions,
  codeChallengeOf,
  openAuthServer,
  type RefreshChoice,
  randomValue,
  type SignInAttempt,
  type SignInChoice,
  type TokenResponse,
  type TokenSet,
} from './auth-server.ts';
export { authorizedFetch } from './authorized-fetch.ts';
export type { Answer, CallOperation, Given } from './call-operation.ts';
export { type Cluster, fetchCluster } from './cluster.ts';
export {
  type AnswerFacts,
  CheckError,
  type CheckName,
  FanApiError,
  linkOf,
  NoAnswerError,
  OAuthError,
  type SignInReason,
  SignInRequiredError,
} from './errors.ts';
export {
  type CallOptions,
  type ExecutedClaim,
  type ExplainResponse,
  type FanApi,
  type FanApiOptions,
  type FetchTicketsResponse,
  type ListingAction,
  openFanApi,
  type Ticket,
  type TicketsChoice,
} from './fan-api.ts';
export { accessTokenHash } from './id-token-checks.ts';
export type { components, paths } from './openapi.ts';
export { type AccessTokenChoice, openSession, type Session, type SessionOptions, type TokenSource } from './session.ts';
export { memoryTokenStore, type RefreshMark, type StoredTokens, type TokenStore } from './token-store.ts';
export type { TransportOptions } from './transport.ts';
