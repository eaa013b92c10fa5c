/** What a stretch of requests sends. */
export interface Load {
  method: 'GET' | 'POST';
  path: string;
  /** Sent in turn, from the first on again where there are fewer than are to be sent. */
  requests: LoadRequest[];
}

export interface LoadRequest {
  headers: Record<string, string>;
  body?: string;
}

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
export const JSON_BODY = { 'content-type': 'application/json' };

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
