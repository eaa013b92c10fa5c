import type { TestApp } from '../../../support/start-app.ts';

const QUERIES = new Set([
  'session.get',
  'account.holds',
  'apps.list',
  'apps.ticketOptions',
  'history.list',
  'passkeys.list',
  'tickets.list',
]);

/** A fan's browser at the portal: its cookie, and one tRPC call as it comes over the wire. */
export function openPortal(app: TestApp, headers: Record<string, string> = {}) {
  const browser = {
    /** `name=value`, as the server last set it. */
    cookie: '',
    /** The whole header of that answer. */
    setCookie: undefined as string | undefined,

    async call(procedure: string, input?: object) {
      const query = QUERIES.has(procedure);
      const url = new URL(`${app.config.loginUrl}/apps/trpc/${procedure}`);
      if (query && input) url.searchParams.set('input', JSON.stringify(input));
      const answer = await fetch(url, {
        method: query ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', cookie: browser.cookie, ...headers },
        ...(!query && { body: JSON.stringify(input ?? {}) }),
      });
      const [set] = answer.headers.getSetCookie();
      if (set !== undefined) {
        browser.setCookie = set;
        browser.cookie = set.split(';')[0] ?? '';
      }
      const body = (await answer.json()) as {
        result?: { data: unknown };
        error?: { message: string; data: { reason: string; retryAfter?: number } };
      };
      return { status: answer.status, data: body.result?.data, reason: body.error?.data?.reason, error: body.error };
    },

    /** As `call`, where an error is a failure of the test. */
    async get<T = Record<string, unknown>>(procedure: string, input?: object): Promise<T> {
      const { data, error } = await browser.call(procedure, input);
      if (error) throw new Error(`${procedure}: ${error.data?.reason}: ${error.message}`);
      return data as T;
    },

    async signIn({ phone, code }: { phone: string; code: string }) {
      await browser.get('phone.sendCode', { phone });
      await browser.get('phone.verifyCode', { code });
      return browser;
    },
  };
  return browser;
}
