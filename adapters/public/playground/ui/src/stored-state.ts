/** Where a tab keeps the playground's state, as JSON. */
export const STATE_KEY = 'playground.state';

/** The part of the state that the documentation reads. */
interface StoredFans {
  fans?: { sub: string; tokens: { response: Record<string, unknown> } }[];
  active?: string;
}

/** The access token of the fan whose tokens the playground uses in this tab; empty without one. */
export function storedAccessToken(): string {
  try {
    const { fans = [], active } = JSON.parse(sessionStorage.getItem(STATE_KEY) ?? '{}') as StoredFans;
    const token = fans.find(({ sub }) => sub === active)?.tokens.response.access_token;
    return typeof token === 'string' ? token : '';
  } catch {
    return '';
  }
}
