import { CookieJar } from 'tough-cookie';

export type StaffBrowser = ReturnType<typeof openStaffBrowser>;

/** A browser as far as sign-ins go: cookies, redirects across hosts, forms. */
export function openStaffBrowser() {
  const jar = new CookieJar();
  const browser = {
    jar,
    /** One request, with the cookies of its address; redirects are not followed. */
    async open(url: string, init: RequestInit = {}): Promise<Response> {
      const headers = new Headers(init.headers);
      headers.set('cookie', await jar.getCookieString(url));
      const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
      for (const line of answer.headers.getSetCookie()) await jar.setCookie(line, url, { loose: true });
      return answer;
    },
    /** Follows redirects up to an answer that is none, or to an address that begins with `until`. */
    async follow(url: string, until?: string): Promise<{ url: string; answer: Response | undefined }> {
      let at = url;
      for (let step = 0; step < 12; step++) {
        if (until !== undefined && at.startsWith(until)) return { url: at, answer: undefined };
        const answer = await browser.open(at);
        const sent = (await sendsItself(answer)) ? await pressButton(browser, at, answer) : answer;
        const location = sent.headers.get('location');
        if (location === null) return { url: at, answer: sent };
        at = new URL(location, at).href;
      }
      throw new Error(`too many redirects from ${url}`);
    },
    cookie: (url: string, name: string) => jar.getCookiesSync(url).find(({ key }) => key === name)?.value,
  };
  return browser;
}

/** A page whose script sends its form at once. */
async function sendsItself(answer: Response): Promise<boolean> {
  return answer.status === 200 && (await answer.clone().text()).includes('document.forms[0].submit()');
}

/** Presses the button of a page that the server wrote. */
export async function pressButton(
  browser: Pick<StaffBrowser, 'open'>,
  url: string,
  page: Response,
  origin?: string,
): Promise<Response> {
  const html = await page.text();
  const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1];
  if (action === undefined) throw new Error(`no form on this page: ${html}`);
  const inputs = [...html.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)];
  const body = new URLSearchParams(inputs.map(([, name = '', value = '']) => [name, value]));
  const headers = { origin: origin ?? new URL(url).origin };
  return browser.open(new URL(action, url).href, { method: 'POST', body, headers });
}
