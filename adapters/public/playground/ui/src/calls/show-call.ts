import { addCall, replaceCall } from '../state.ts';
import { type CallRequest, sendCall } from './call.ts';

/** `fetch` for the SDK: what it sends is shown with its answer, as every other call is. */
export async function showCall(request: Request): Promise<Response> {
  const shown = await shownRequest(request);
  const call = addCall({ title: titleOf(shown), request: shown, at: new Date().toISOString() });
  const result = await sendCall(shown, request.signal);
  replaceCall({ ...call, ...result });
  const { answer } = result;
  if (answer === undefined) throw new TypeError(result.failure ?? 'No answer.');
  return new Response(answer.body === '' ? null : answer.body, { status: answer.status, headers: answer.headers });
}

async function shownRequest(request: Request): Promise<CallRequest> {
  const { method, url } = request;
  const body = await request.text();
  // a browser gives names in lower case, and people write them otherwise
  const headers = [...request.headers].map(([name, value]): [string, string] => [
    name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    value,
  ]);
  return { method, url, headers: Object.fromEntries(headers), ...(body !== '' && { body }) };
}

/** Titles of the calls, by the end of their path. */
const TITLES: readonly [path: RegExp, title: string][] = [
  [/\/\.well-known\/openid-configuration$/, 'Discovery'],
  [/\/\.well-known\/jwks\.json$/, 'Published keys'],
  [/\/oauth2\/revoke$/, 'Revoke'],
  [/\/oauth2\/userinfo$/, 'Userinfo'],
  [/\/receipt$/, 'Consent receipt'],
  [/\/clusters\.json$/, 'Clusters'],
  [/\/tickets$/, 'Tickets'],
  [/\/claims\/execute$/, 'Claim the ticket'],
];

function titleOf({ method, url, headers, body = '' }: CallRequest): string {
  const { pathname } = new URL(url);
  if (pathname.endsWith('/oauth2/token')) {
    return body.includes('grant_type=refresh_token') ? 'Refresh' : 'Exchange the code';
  }
  if (headers.Prefer !== undefined) return 'Explain';
  if (pathname.endsWith('/authorizations')) {
    return body.includes('"type":"list"') ? 'Have the listing signed' : 'Have the cancellation signed';
  }
  return TITLES.find(([path]) => path.test(pathname))?.[1] ?? `${method} ${pathname}`;
}
