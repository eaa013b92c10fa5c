import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

interface Answer {
  status: number;
  headers: Headers;
  body: string;
}

/** Sends bytes as they are. */
async function send(bytes: string): Promise<Answer> {
  const socket = connect(Number(new URL(app.origin).port), 'localhost');
  socket.on('error', () => {});
  socket.write(bytes);
  const whole = await text(socket);
  const [head = '', body = ''] = whole.split(/\r\n\r\n(.*)/s);
  const [line = '', ...fields] = head.split('\r\n');
  expect(line).toMatch(/^HTTP\/1\.1 \d{3} [A-Z]/);
  const headers = new Headers(fields.map((field) => field.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return { status: Number(line.split(' ')[1]), headers, body };
}

const request = (method: string, target: string, fields = '') =>
  send(`${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${fields}\r\n`);

/** How errors of an address look. */
const SHAPES = {
  fan: ({ headers, body }: Answer) => {
    expect(JSON.parse(body)).toEqual({ message: expect.stringMatching(/^[A-Z].+\.$/) });
    expect(headers.get('x-error-code')).toMatch(/^[a-z_]+$/);
  },
  oauth: ({ body }: Answer) => {
    expect(JSON.parse(body)).toEqual({ error: 'invalid_request', error_description: expect.stringMatching(/.{10}/) });
  },
  page: ({ headers, body }: Answer) => {
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(body).toMatch(/^<!doctype html>.*<h1>.*<dt>Request ID<\/dt><dd><bdi>[0-9a-f-]{36}/s);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  },
  calls: ({ body }: Answer) => expect(JSON.parse(body)).toEqual({ error: { message: expect.any(String) } }),
  graphql: ({ body }: Answer) =>
    expect(JSON.parse(body)).toEqual({
      errors: [{ message: expect.any(String), extensions: { code: 'invalid_request' } }],
    }),
} satisfies Record<string, (answer: Answer) => void>;

const ADDRESSES: [string, keyof typeof SHAPES][] = [
  ['/fan/tickets', 'fan'],
  ['/fan/none', 'fan'],
  ['/oauth2/token', 'oauth'],
  ['/oauth2/userinfo', 'oauth'],
  ['/.well-known/openid-configuration', 'oauth'],
  ['/oauth2/authorize', 'page'],
  ['/oauth2/authorize/', 'page'],
  ['/login', 'page'],
  ['/login/inbox', 'page'],
  ['/login/apps', 'page'],
  ['/login/trpc/session.get', 'calls'],
  ['/admin', 'page'],
  ['/admin/auth/sign-in', 'page'],
  ['/admin/graphql', 'graphql'],
  ['/playground', 'page'],
];

/** Requests that are refused for their form, below and above what Node itself lets through. */
const REFUSED: [string, number, (target: string) => Promise<Answer>][] = [
  ['a URL of 17 KiB', 414, (target) => request('GET', `${target}?x=${'x'.repeat(17_408)}`)],
  ['a URL of 60 KiB', 414, (target) => request('GET', `${target}?x=${'x'.repeat(61_440)}`)],
  ['header fields of 17 KiB', 431, (target) => request('GET', target, `X: ${'x'.repeat(17_408)}\r\n`)],
  ['header fields of 60 KiB', 431, (target) => request('GET', target, `X: ${'x'.repeat(61_440)}\r\n`)],
  ['PROPFIND, which Node knows', 501, (target) => request('PROPFIND', target)],
  ['TRACE', 501, (target) => request('TRACE', target)],
  ['FOO, which nobody knows', 501, (target) => request('FOO', target)],
  ['a header line without a colon', 400, (target) => request('GET', target, 'no colon\r\n')],
];

describe.each(ADDRESSES)('%s answers in its own shape', (path, shape) => {
  it.each(REFUSED)('%s: %i', async (_, status, ask) => {
    const answer = await ask(path);
    expect(answer.status).toBe(status);
    SHAPES[shape](answer);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('connection')).toBe('close');
    expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(answer.body));
  });

  it('DELETE is 405, with what is allowed', async () => {
    const answer = await request('DELETE', path);
    // there is nothing at one of them
    expect(answer.status).toBe(path === '/fan/none' ? 404 : 405);
    SHAPES[shape](answer);
    if (answer.status === 405) expect(answer.headers.get('allow')).toMatch(/GET|POST/);
  });
});

describe('a compressed body is refused by 415', () => {
  const compressed = (path: string, type: string, headers: Record<string, string> = {}) =>
    fetch(app.origin + path, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': type, 'content-encoding': 'gzip', ...headers },
    });

  it.each([
    ['/oauth2/token', 'application/x-www-form-urlencoded'],
    ['/oauth2/revoke', 'application/x-www-form-urlencoded'],
    ['/oauth2/authorize', 'application/x-www-form-urlencoded'],
    ['/login/trpc/phone.sendCode', 'application/json'],
    ['/login/apps/trpc/phone.sendCode', 'application/json'],
    ['/admin/auth/link', 'application/x-www-form-urlencoded'],
  ])('%s', async (path, type) => {
    const answer = await compressed(path, type);
    expect(answer.status).toBe(415);
    expect(answer.headers.get('accept-encoding')).toBe('identity');
    expect(await answer.text()).toContain('Content-Encoding is not supported');
  });

  it('/admin/graphql, in its shape', async () => {
    const answer = await compressed('/admin/graphql', 'application/json', { 'x-console': '1' });
    expect([answer.status, await answer.json()]).toMatchObject([415, { errors: [{ message: /Content-Encoding/ }] }]);
  });

  it('identity is no coding', async () => {
    const answer = await compressed('/oauth2/token', 'application/x-www-form-urlencoded', {
      'content-encoding': 'identity',
    });
    expect(answer.status).toBe(400);
  });
});

describe('what Node refuses by itself', () => {
  it('a partner’s page may read that its URL was too long', async () => {
    const origin = 'http://localhost:4000';
    for (const path of ['/fan/tickets', '/oauth2/userinfo']) {
      const answer = await fetch(`${app.origin}${path}?x=${'x'.repeat(17_408)}`, { headers: { origin } });
      expect([answer.status, answer.headers.get('access-control-allow-origin')], path).toEqual([414, origin]);
    }
  });

  it('a state of 4 KiB, each of its bytes percent-encoded, is no URL that is too long', async () => {
    const answer = await request('GET', `/oauth2/authorize?state=${'%C3%A4'.repeat(2048)}`);
    expect(answer.status).toBe(400);
  });

  it('where only a later part of the header fields is seen, the answer is text', async () => {
    const socket = connect(Number(new URL(app.origin).port), 'localhost');
    socket.on('error', () => {});
    socket.write(`GET /fan/tickets HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.write('x'.repeat(40_000));
    expect(await text(socket)).toMatch(
      /^HTTP\/1\.1 431 .*\r\nConnection: close\r\n\r\nRequest Header Fields Too Large\n$/s,
    );
  });

  it('HEAD has no body, and the length of one', async () => {
    const answer = await request('HEAD', '/fan/tickets', 'no colon\r\n');
    expect([answer.status, answer.body, Number(answer.headers.get('content-length')) > 0]).toEqual([400, '', true]);
  });

  it('bytes that are no request line are answered as text', async () => {
    const answer = await send('\x16\x03\x01\x00\xc8\x01\x00\r\n\r\n');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
  });

  it('CONNECT is 501', async () => {
    expect((await request('CONNECT', 'example.com:443')).status).toBe(501);
  });

  it('a good request is answered, also where garbage follows it', async () => {
    const good = 'GET /.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\n\r\n';
    for (const garbage of ['\x01\x02\r\n\r\n', 'x'.repeat(50), 'FOO / HTTP/1.1\r\n\r\n']) {
      const answer = await send(good + garbage);
      expect(answer.status).toBe(200);
      // nothing stands behind the answer
      expect(Object.keys(JSON.parse(answer.body))).toEqual(['keys']);
    }
  });

  it('a broken body is answered once, in the shape of its surface', async () => {
    const head = 'HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n';
    const answer = await send(`POST /oauth2/token ${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc`);
    expect(answer.status).toBe(400);
    SHAPES.oauth(answer);
    expect(answer.headers.get('connection')).toBe('close');
  });
});
