/** What a stretch of requests sends. */
export interface Load {
  method: 'GET' | 'POST';
  path: string;
  /** Sent in turn, from the first on again where there are fewer than are to be sent. */
  requests: LoadRequest[];
}

export interface LoadRequest {
  /** Those of the load by default. */
  method?: Load['method'];
  path?: string;
  headers: Record<string, string>;
  body?: string;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** @param bodies forms */
export function tokenRequests(path: string, bodies: readonly string[]): Load {
  return { method: 'POST', path, requests: bodies.map((body) => ({ headers: FORM, body })) };
}

export function bearerRequests(path: string, tokens: readonly string[]): Load {
  return { method: 'GET', path, requests: tokens.map((token) => ({ headers: bearer(token) })) };
}
