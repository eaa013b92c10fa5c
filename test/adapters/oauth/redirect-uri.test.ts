import { beforeAll, describe, expect, it } from 'vitest';
import { knownId } from '../../../src/identifier/known-id.ts';
import type { Id } from '../../../src/identifier/type-id.ts';
import { changeClient, makeClient } from '../../support/make-client.ts';
import { codeForm, obtainCode, postForm, REDIRECT_URI } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { sendAuthorize } from './send-authorize.ts';

let clientId: Id<'client'>;
const WITH_QUERY = 'http://localhost:4000/cb?tenant=a%2Fb&flag';
const registered = [REDIRECT_URI, WITH_QUERY, 'http://127.0.0.1:4000/native'];
const app = await testApp();
beforeAll(async () => {
  clientId = await makeClient(app, { redirectUris: registered });
});

describe('spec §5.4: redirect_uri must match exactly; otherwise a page, never a redirect', () => {
  it.each([
    ['a slash more', `${REDIRECT_URI}/`],
    ['a slash less', 'http://localhost:4000callback'],
    ['two slashes', 'http://localhost:4000//callback'],
    ['another port', 'http://localhost:4001/callback'],
    ['no port', 'http://localhost/callback'],
    ['a host in another case', 'http://LOCALHOST:4000/callback'],
    ['a scheme in another case', 'HTTP://localhost:4000/callback'],
    ['a path in another case', 'http://localhost:4000/Callback'],
    ['an encoded letter', 'http://localhost:4000/%63allback'],
    ['an encoded slash', 'http://localhost:4000%2Fcallback'],
    ['a query', `${REDIRECT_URI}?x=1`],
    ['an empty query', `${REDIRECT_URI}?`],
    ['a fragment', `${REDIRECT_URI}#x`],
    ['a path below', `${REDIRECT_URI}/below`],
    ['a dot segment', 'http://localhost:4000/x/../callback'],
    ['https', 'https://localhost:4000/callback'],
    ['another host that means the same', 'http://127.0.0.1:4000/callback'],
    ['a user name', 'http://localhost:4000@evil.example.com/callback'],
    ['a space before', ` ${REDIRECT_URI}`],
    ['a line end after', `${REDIRECT_URI}\n`],
    ['a NUL after', `${REDIRECT_URI}\0`],
    ['a script', 'javascript:alert(1)'],
    ['the registered query in another encoding', 'http://localhost:4000/cb?tenant=a/b&flag'],
    ['the registered query in another order', 'http://localhost:4000/cb?flag&tenant=a%2Fb'],
    ['the registered URI without its query', 'http://localhost:4000/cb'],
    ['a redirect URI of another client', 'http://localhost:4000/auth/callback/fan'],
    ['nothing', ''],
  ])('%s', async (_, redirectUri) => {
    const answer = await sendAuthorize(app, { clientId, redirectUri });
    expect(answer.status).toBe(400);
    expect(answer.location).toBeUndefined();
    expect(answer.html).toContain('redirect_uri');
  });

  it.each(['http://localhost:4000/{id}', 'https://x.example\\@y.example/', 'https://p.example/%zz'])(
    'a malformed one that was registered before these were refused: %s',
    async (redirectUri) => {
      await changeClient(app, clientId, { redirectUris: [redirectUri, ...registered] });
      const answer = await sendAuthorize(app, { clientId, redirectUri });
      expect([answer.status, answer.location]).toEqual([400, undefined]);
      expect(answer.html).toMatch(/redirect_uri of the link has a (character|%)/);
      expect((await sendAuthorize(app, { clientId })).status).toBe(302);
    },
  );

  it('also when everything else is wrong too', async () => {
    const parameters = { scope: undefined, response_type: 'token', state: undefined, prompt: 'none' };
    const answer = await sendAuthorize(app, { clientId, redirectUri: 'https://evil.example.com/', parameters });
    expect([answer.status, answer.location]).toEqual([400, undefined]);
  });
});

describe('RFC 6749 §3.1.2: a registered query', () => {
  it('is kept byte for byte, and code and state follow it', async () => {
    const started = await obtainCode(app, { clientId, redirectUri: WITH_QUERY });
    expect(started.code).toMatch(/^ac_/);
    const { status } = await postForm(app, '/oauth2/token', codeForm(started));
    expect(status).toBe(200);
  });

  it('is kept in an error too', async () => {
    const { location } = await sendAuthorize(app, {
      clientId,
      redirectUri: WITH_QUERY,
      parameters: { prompt: 'none' },
    });
    expect(location).toMatch(`${WITH_QUERY}&error=login_required&error_description=`);
  });
});

describe('RFC 8252 §7.3, D-043 redirect URIs: any port on a loopback address', () => {
  const NATIVE = 'http://127.0.0.1:51004/native';

  it('is refused where it is not switched on, as it is by default', async () => {
    expect((await sendAuthorize(app, { clientId, redirectUri: NATIVE })).status).toBe(400);
  });

  it('is accepted where it is; the code goes to that port and is exchanged with that URI only', async () => {
    await changeClient(app, knownId('client', clientId), { loopbackAnyPort: true });
    const obtained = await obtainCode(app, { clientId, redirectUri: NATIVE });
    const registered = codeForm(obtained, { redirect_uri: 'http://127.0.0.1:4000/native' });
    expect((await postForm(app, '/oauth2/token', registered)).body.error).toBe('invalid_request');
    const again = await obtainCode(app, { clientId, redirectUri: NATIVE });
    expect((await postForm(app, '/oauth2/token', codeForm(again))).status).toBe(200);
  });

  it('is for the literal addresses only, and for the port only', async () => {
    await changeClient(app, knownId('client', clientId), { loopbackAnyPort: true });
    for (const redirectUri of ['http://localhost:51004/callback', 'http://127.0.0.1:51004/other', `${NATIVE}?x`]) {
      expect((await sendAuthorize(app, { clientId, redirectUri })).status, redirectUri).toBe(400);
    }
  });
});

describe('D-023 authorize errors: the page before proof', () => {
  it('is HTML with status 400, the request id, and no way for scripts or frames', async () => {
    const { status, headers, html } = await sendAuthorize(app, { redirectUri: 'https://evil.example.com/' });
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain(headers.get('x-request-id'));
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.getSetCookie()).toEqual([]);
  });

  it('shows nothing of the request, so that nobody can write on it', async () => {
    const markup = '<script>alert(1)</script>';
    for (const choice of [
      { clientId: markup },
      { redirectUri: markup },
      { redirectUri: `${REDIRECT_URI}?${markup}` },
    ]) {
      const { status, html } = await sendAuthorize(app, choice);
      expect(status).toBe(400);
      expect(html).not.toContain('alert(1)');
    }
  });

  it.each([
    ['no client_id', ''],
    ['a text that is no identifier', 'nobody'],
    ['an identifier that nobody has', 'client_00000000000000000000000000'],
    ['the identifier of something else', 'ptn_01h455vb4pex5vsknk084sn02q'],
    ['a NUL', 'client_\0'],
    ['10 kB', 'c'.repeat(10_000)],
  ])('client_id: %s', async (_, unknown) => {
    const { status, html, location } = await sendAuthorize(app, { clientId: unknown });
    expect([status, location]).toEqual([400, undefined]);
    expect(html).toContain('client_id');
  });

  it('a client_id in another case is not the client', async () => {
    expect((await sendAuthorize(app, { clientId: app.kit.client_id.toUpperCase() })).status).toBe(400);
  });
});
