import type { StoredTokens, TokenStore } from '@fan-api/sdk';
import { changeFan, currentState } from '../state.ts';
import { type TokenSet, tokenSetOf } from './token-set.ts';

const MOST_SPENT = 3;

/** The page's state as the SDK's store, by the fan's `sub`. It belongs to one tab, so that nobody else refreshes. */
export const stateTokenStore: TokenStore = {
  async read(sub) {
    const tokens = tokensOf(sub);
    return tokens && { version: tokens.version, tokens: tokenSetOf(tokens), refreshing: tokens.refreshing };
  },
  async compareAndSet(sub, expected, next) {
    const tokens = tokensOf(sub);
    if (tokens === undefined || tokens.version !== expected) return false;
    changeFan(sub, { tokens: changed(tokens, next) });
    return true;
  },
  lock: (_, work) => work(),
};

function tokensOf(sub: string): TokenSet | undefined {
  return currentState().fans.find((fan) => fan.sub === sub)?.tokens;
}

/** Keeps revoked and spent tokens, so that the developer can look at them and try them. */
function changed(before: TokenSet, { version, tokens, refreshing }: StoredTokens): TokenSet {
  if (tokens === undefined) return { ...before, version, refreshing, revoked: true };
  if (tokens.response.access_token === before.response.access_token) return { ...before, version, refreshing };
  const spent = before.response.refresh_token === undefined ? [] : [before.response.refresh_token];
  return {
    ...before,
    version,
    refreshing,
    response: tokens.response,
    expiresAt: new Date(tokens.expiresAt).toISOString(),
    claims: tokens.claims,
    spentRefreshTokens: [...spent, ...before.spentRefreshTokens].slice(0, MOST_SPENT),
    earlier: { accessToken: before.response.access_token, expiresAt: before.expiresAt },
  };
}
