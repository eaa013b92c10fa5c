import { STATUS_CODES } from 'node:http';
import { authServerMetadataUrl } from '../../src/oauth/metadata.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { checksUrl } from '../../src/sandbox/go-live-check/run-addresses.ts';
import { malformedRequestPage } from '../fan-pages/plain-pages/fan-pages.ts';
import type { Wishes } from '../fan-pages/plain-pages/page-words.ts';
import type { PlainPages } from './plain-page.ts';
import { surfaceMatcher } from './surface.ts';

/**
 * The shape of an error answer. Fan API: `{ "message" }`. OAuth: `{ "error", "error_description" }`. A page for a person at
 * a browser. The form that the scripts of the console (GraphQL) and of the other pages (`calls`: tRPC) read. Otherwise text.
 */
export type ErrorShape = 'fan' | 'oauth' | 'page' | 'graphql' | 'calls' | 'text';

/** The error shape at an address; the path is `''` where it is unknown. */
export type ErrorShapeOf = (host: string, path: string) => ErrorShape;

/** The error shapes of all addresses: text where an address belongs to no surface. */
export function errorShapes({
  apiUrl,
  authUrl,
  loginUrl,
  adminUrl,
  partnersUrl,
  docsUrl,
}: Pick<Config, 'apiUrl' | 'authUrl' | 'loginUrl' | 'adminUrl' | 'partnersUrl' | 'docsUrl'>): ErrorShapeOf {
  const match = surfaceMatcher<{ url: string; shapeOf(path: string): ErrorShape }>([
    { url: apiUrl, shapeOf: () => 'fan' },
    { url: authUrl, shapeOf: (path) => (/\/oauth2\/(authorize|hand-over)\/?$/i.test(path) ? 'page' : 'oauth') },
    { url: authServerMetadataUrl(authUrl), shapeOf: () => 'oauth' },
    { url: checksUrl({ authUrl }), shapeOf: shapeOfCheck },
    { url: loginUrl, shapeOf: (path) => (path.includes('/trpc/') ? 'calls' : 'page') },
    { url: adminUrl, shapeOf: (path) => (/\/graphql\/?$/i.test(path) ? 'graphql' : 'page') },
    { url: partnersUrl, shapeOf: (path) => (/\/graphql\/?$/i.test(path) ? 'graphql' : 'page') },
    { url: `${new URL(authUrl).origin}/playground`, shapeOf: () => 'page' },
    { url: docsUrl, shapeOf: () => 'page' },
  ]);
  return (host, path) => (path === '' ? undefined : match(host, path)?.shapeOf(path)) ?? 'text';
}

/** A go-live check has an authorization server and an API. */
function shapeOfCheck(path: string): ErrorShape {
  if (/\/oauth2\/authorize\/?$/i.test(path)) return 'page';
  return /\/chk_\w+\/fan\//.test(path) ? 'fan' : 'oauth';
}

interface WrittenError {
  headers: Record<string, string>;
  body: string;
}

interface RequestFault {
  status: number;
  message: string;
  requestId: string;
  /** What is known of the fan's language. */
  wishes?: Wishes;
}

/** Writes the answer to a malformed request in a shape. @param pages writes those for a person at a browser */
export function writeRequestError(
  shape: ErrorShape,
  { status, message, requestId, wishes }: RequestFault,
  pages: PlainPages,
): WrittenError {
  const json = (body: object, headers: Record<string, string> = {}): WrittenError => ({
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
    body: JSON.stringify(body),
  });
  switch (shape) {
    case 'fan':
      return json({ message }, { 'X-Error-Code': status === 405 ? 'method_not_allowed' : 'invalid_request' });
    case 'oauth':
      return json({ error: 'invalid_request', error_description: message });
    case 'graphql':
      return json({ errors: [{ message, extensions: { code: 'invalid_request' } }] });
    case 'calls':
      return json({ error: { message } });
    case 'page':
      return pages.write(malformedRequestPage(message), { requestId, ...(wishes && { wishes }) });
    case 'text':
      return {
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
        body: `${STATUS_CODES[status] ?? 'Bad Request'}\n`,
      };
  }
}
