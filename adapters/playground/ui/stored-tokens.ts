/** Tokens live as long as this tab, so that a reload does not lose the sign-in; a real app keeps them on its server. */
import type { Tokens } from './partner.ts';

const KEY = 'playground.tokens';

export function loadTokens(): Tokens | undefined {
  const stored = sessionStorage.getItem(KEY);
  return stored === null ? undefined : (JSON.parse(stored) as Tokens);
}

export function storeTokens(tokens: Tokens | undefined): void {
  if (tokens === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(tokens));
}
