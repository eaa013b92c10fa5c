import { STATUS_CODES } from 'node:http';
import { authServerMetadataUrl } from '../../src/oauth/metadata.ts';
import { PAGE_HEADERS, plainPage } from './plain-page.ts';
import { surfaceFinder } from './surface.ts';

/**
 * The shape of an error answer. The Fan API: `{ "message" }`. OAuth: `{ "error", "error_description" }`. A page for a person
 * at a browser. What the scripts of the console (GraphQL) and of the other pages (tRPC) read. Text where nothing is known.
 */
export type ErrorShape = 'fan' | 'oauth' | 'page' | 'graphql' | 'calls' | 'text';

/** A refusal for the form of a request. */
export interface FormRefusal {
  status: number;
  message: string;
  requestId: string;
}

/** An answer, ready to be written. */
export interface WrittenError {
  headers: Record<string, string>;
  body: string;
}

/** Finds the shape of the errors at an address; the path is `''` where it is not known. */
export type ShapeFinder = (host: string, path: string) => ErrorShape;

/** The addresses of the surfaces. */
interface Addresses {
  apiUrl: string;
  authUrl: string;
  loginUrl: string;
  adminUrl: string;
}

/** The shapes of all addresses: of an address that belongs to no surface it is text. */
export function shapeFinder({ apiUrl, authUrl, loginUrl, adminUrl }: Addresses): ShapeFinder {
  const find = surfaceFinder<{ url: string; shapeOf(path: string): ErrorShape }>([
    { url: apiUrl, shapeOf: () => 'fan' },
    { url: authUrl, shapeOf: (path) => (/\/oauth2\/(authorize|hand-over)\/?$/i.test(path) ? 'page' : 'oauth') },
    { url: authServerMetadataUrl(authUrl), shapeOf: () => 'oauth' },
    { url: loginUrl, shapeOf: (path) => (path.includes('/trpc/') ? 'calls' : 'page') },
    { url: adminUrl, shapeOf: (path) => (/\/graphql\/?$/i.test(path) ? 'graphql' : 'page') },
    // the example partner lives beside the issuer
    { url: `${new URL(authUrl).origin}/playground`, shapeOf: () => 'page' },
  ]);
  return (host, path) => (path === '' ? undefined : find(host, path)?.shapeOf(path)) ?? 'text';
}

/** Writes a refusal in a shape. */
export function writeRefusal(shape: ErrorShape, refusal: FormRefusal): WrittenError {
  const { status, message } = refusal;
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
      return { headers: { ...PAGE_HEADERS }, body: refusalPage(refusal) };
    case 'text':
      return {
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
        body: `${STATUS_CODES[status] ?? 'Bad Request'}\n`,
      };
  }
}

function refusalPage({ message, requestId }: FormRefusal): string {
  return plainPage({
    title: "This link can't be used",
    paragraphs: [message, 'Go back to where you came from and try again.'],
    requestId,
  });
}
