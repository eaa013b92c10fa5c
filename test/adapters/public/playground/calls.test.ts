import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type CallAnswer, errorCodeOf, helpLinkOf } from '../../../../adapters/public/playground/ui/src/calls/call.ts';
import { readableBody, shortenHeader } from '../../../../adapters/public/playground/ui/src/calls/shorten.ts';
import { asCurl, asTypeScript } from '../../../../adapters/public/playground/ui/src/calls/write-code.ts';
import { lamportsOf } from '../../../../adapters/public/playground/ui/src/trade/sale.ts';

const answer = (fields: Partial<CallAnswer>): CallAnswer => ({ status: 400, headers: {}, body: '', ms: 1, ...fields });

describe('a call as code', () => {
  const form = {
    method: 'POST',
    url: 'https://auth.example/oauth2/token',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `code=${encodeURIComponent('it\'s $HOME `x` \\ "y"')}&scope=a+b`,
  };

  test('curl: a shell takes each part as it is', () => {
    const request = { ...form, body: `it's $HOME \`x\` "y" \\` };
    const words = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${asCurl(request)}`], {
      encoding: 'utf8',
    });
    expect(words.trimEnd().split('\n')).toEqual([
      '-i',
      '-X',
      'POST',
      form.url,
      '-H',
      'Content-Type: application/x-www-form-urlencoded',
      '--data-raw',
      request.body,
    ]);
  });

  test.each([
    ['a form', form],
    [
      'JSON',
      { ...form, headers: { 'Content-Type': 'application/json' }, body: '{"type":"list","transactions":["00"]}' },
    ],
    ['JSON with spaces', { ...form, headers: { 'Content-Type': 'application/json' }, body: '{ "a": 1 }' }],
    ['no body', { method: 'GET', url: 'https://api.example/tickets', headers: {}, body: undefined }],
  ])('TypeScript: sends the same bytes, with %s', async (_, request) => {
    const sent: [string, RequestInit][] = [];
    const code = asTypeScript(request).replace('console.log', 'void ');
    const run = new Function('fetch', `return (async () => {${code}})()`);
    await run((url: string, init: RequestInit) => {
      sent.push([url, init]);
      return { text: () => '' };
    });
    expect(sent).toHaveLength(1);
    const [[url, init] = ['', {}]] = sent;
    expect(url).toBe(request.url);
    expect(init.method).toBe(request.method);
    expect(init.body?.toString()).toBe(request.body);
  });
});

test('RFC 8288 §3: the help link is found among others, relative to the call, and nothing else is one', () => {
  const link = (value: string) => helpLinkOf(answer({ headers: { link: value } }), 'https://api.example/fan/tickets');
  expect(link('</docs/errors#x>; rel="help"')).toBe('https://api.example/docs/errors#x');
  expect(link('<https://a.example/>; rel="next", <https://d.example/#y>; rel=help')).toBe('https://d.example/#y');
  expect(link('<https://d.example/>; title="t"; rel="describedby help"')).toBe('https://d.example/');
  expect(link('<https://a.example/>; rel="next"')).toBeUndefined();
  expect(helpLinkOf(answer({}), 'https://api.example')).toBeUndefined();
});

test('the code of a refusal is the header of the Fan API, or the error of an OAuth answer', () => {
  expect(errorCodeOf(answer({ headers: { 'x-error-code': 'not_found' }, body: '{"error":"x"}' }))).toBe('not_found');
  expect(errorCodeOf(answer({ body: '{"error":"invalid_grant"}' }))).toBe('invalid_grant');
  expect(errorCodeOf(answer({ body: 'no JSON' }))).toBeUndefined();
  expect(errorCodeOf(answer({ status: 200, body: '{"error":"x"}' }))).toBeUndefined();
});

test('tokens are shortened wherever they are shown, and short values are whole', () => {
  const token = `eyJ${'a'.repeat(300)}`;
  expect(shortenHeader(`Bearer ${token}`)).toMatch(/^Bearer eyJa{15}…a{8} \(303 characters\)$/);
  expect(shortenHeader('application/json')).toBe('application/json');
  expect(readableBody(JSON.stringify({ access_token: token }), 'application/json', false)).not.toContain(token);
  expect(readableBody(JSON.stringify({ access_token: token }), 'application/json', true)).toContain(token);
  expect(readableBody(`refresh_token=${token}&a=b`, 'application/x-www-form-urlencoded', false)).toMatch(
    /^refresh_token=eyJ.*…/,
  );
  expect(readableBody(token, 'application/jwt', false)).not.toContain(token);
});

test('a price in SOL is counted in lamports, without rounding', () => {
  expect(lamportsOf('2')).toBe(2_000_000_000n);
  expect(lamportsOf(' 0.000000001 ')).toBe(1n);
  expect(lamportsOf('0')).toBe(0n);
  for (const wrong of ['', '-1', '1e3', '1.', '0.0000000001', 'two'])
    expect(() => lamportsOf(wrong)).toThrow('number of SOL');
});
