import type { Config } from '../config/config.ts';

/** The redirect URI that a partner's provider has to know. */
export function partnerCallbackUrl({ partnersUrl }: Pick<Config, 'partnersUrl'>): string {
  return `${partnersUrl}/auth/callback`;
}
