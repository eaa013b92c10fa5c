import { describe, expect, it } from 'vitest';
import { matchesRedirectUri, originsOf, redirectUriFault, withParameters } from '../../../src/partners/redirect-uri.ts';

describe('redirect URIs: at registration', () => {
  it.each([
    ['https', 'https://partner.example.com/callback', 'production'],
    ['https with a query', 'https://partner.example.com/callback?tenant=1', 'production'],
    ['https on a port', 'https://partner.example.com:8443/callback', 'sandbox'],
    ['capital letters in the host', 'https://Partner.Example.com/callback', 'production'],
    ['every character of a URI', "https://p.example:443/a-._~:@!$&'()+,;=%2f/[0]?b[]=/?", 'production'],
    ['http on localhost in sandbox', 'http://localhost:4000/callback', 'sandbox'],
    ['http on 127.0.0.1 in sandbox', 'http://127.0.0.1/callback', 'sandbox'],
    ['http on [::1] in sandbox', 'http://[::1]:4000/callback', 'sandbox'],
  ] as const)('takes %s', (_, uri, mode) => {
    expect(redirectUriFault(uri, mode)).toBeUndefined();
  });

  it.each([
    ['http in production', 'http://partner.example.com/callback', 'production', 'https'],
    ['http on localhost in production', 'http://localhost/callback', 'production', 'https'],
    ['http elsewhere in sandbox', 'http://partner.example.com/callback', 'sandbox', 'only on localhost'],
    ['a host that begins with localhost', 'http://localhost.example.com/', 'sandbox', 'only on localhost'],
    ['localhost as user name', 'http://localhost:80@example.com/', 'sandbox', 'user name'],
    ['a fragment', 'https://partner.example.com/#top', 'production', 'fragment'],
    ['an empty fragment', 'https://partner.example.com/#', 'production', 'fragment'],
    ['a wildcard', 'https://*.example.com/', 'production', 'wildcard'],
    ['a user name', 'https://user@example.com/', 'production', 'user name'],
    ['a password', 'https://me:pw@example.com/', 'production', 'user name'],
    ['nothing', '', 'production', 'absolute'],
    ['no scheme', 'resale.example/callback', 'production', 'absolute'],
    ['a script', 'javascript:alert(1)', 'sandbox', 'https'],
    ['a scheme of an app', 'com.example.app:/callback', 'sandbox', 'https'],
    ['a relative reference', '/callback', 'sandbox', 'absolute'],
    ['a space', 'https://partner.example.com/call back', 'production', 'percent-encode'],
    ['a letter outside ASCII', 'https://partner.example.com/ä', 'production', 'percent-encode'],
    ['a line end', 'https://partner.example.com/\r\nSet-Cookie:x', 'production', 'percent-encode'],
    ...[...'\\"<>{}|^`'].map(
      (character) =>
        [`the character ${character}`, `https://p.example/${character}`, 'production', 'percent-encode'] as const,
    ),
    ['two hosts to two programs', 'https://x.example\\@y.example/', 'production', '(U+005C)'],
    ['a % that begins no byte', 'https://p.example/%zz', 'production', '%'],
    ['a % at the end', 'https://p.example/%4', 'production', '%'],
    ['a host that only browsers find', 'https:p.example/callback', 'production', 'a host'],
    ['a host after three slashes', 'https:///p.example/callback', 'production', 'a host'],
    ['a host with a percent-encoded letter', 'https://ex%61mple.com/', 'production', 'write example.com'],
    ['a host that browsers read as an address', 'https://0x7f.1/', 'production', 'write 127.0.0.1'],
    ['two user names', 'https://a@b@c.example/', 'production', 'a host'],
    ['more than 2,000 characters', `https://partner.example.com/${'a'.repeat(2000)}`, 'production', '2,000'],
  ] as const)('refuses %s', (_, uri, mode, reason) => {
    expect(redirectUriFault(uri, mode)).toContain(reason);
  });
});

describe('RFC 8252 §7.3: any port on a loopback address', () => {
  const registered = ['http://127.0.0.1:4000/callback?a=1', 'http://[::1]/callback', 'http://localhost:4000/callback'];
  const on = { redirectUris: registered, loopbackAnyPort: true };

  it.each(['http://127.0.0.1:51004/callback?a=1', 'http://127.0.0.1/callback?a=1', 'http://[::1]:9/callback'])(
    'switched on: %s matches',
    (uri) => {
      expect(matchesRedirectUri(uri, on)).toBe(true);
      expect(matchesRedirectUri(uri, { ...on, loopbackAnyPort: false })).toBe(false);
    },
  );

  it.each([
    'http://localhost:51004/callback',
    'http://127.0.0.1:51004/callback',
    'http://127.0.0.1:51004/callback?a=2',
    'http://127.0.0.1:51004/other?a=1',
    'http://127.0.0.2:51004/callback?a=1',
    'https://127.0.0.1:51004/callback?a=1',
    'http://127.0.0.1:51004@example.com/callback?a=1',
    'http://127.0.0.1.example.com/callback?a=1',
    'http://127.0.0.1:51004x/callback?a=1',
    'http://127.0.0.1:/callback?a=1',
    'http://127.0.0.1:99999/callback?a=1',
  ])('switched on: %s does not match', (uri) => {
    expect(matchesRedirectUri(uri, on)).toBe(false);
  });
});

it('a malformed URI that was registered before it was refused matches nothing', () => {
  const redirectUris = ['https://x.example\\@y.example/', 'https://p.example/%zz', 'https://p.example/{id}'];
  for (const uri of redirectUris) expect(matchesRedirectUri(uri, { redirectUris, loopbackAnyPort: false })).toBe(false);
});

describe('RFC 6749 §4.1.2: response parameters', () => {
  it('follow a query that was registered, which stays byte for byte', () => {
    expect(withParameters('https://p.example/cb?x=%2f&y', { code: 'ac_1', state: 'a b' })).toBe(
      'https://p.example/cb?x=%2f&y&code=ac_1&state=a%20b',
    );
  });

  it('are left out where there is no value', () => {
    expect(withParameters('https://p.example/cb', { error: 'invalid_request', state: undefined })).toBe(
      'https://p.example/cb?error=invalid_request',
    );
  });
});

it('the origins of a client are those of its redirect URIs, each once', () => {
  expect(originsOf(['https://p.example/a', 'https://p.example/b', 'http://localhost:4000/c'])).toEqual([
    'https://p.example',
    'http://localhost:4000',
  ]);
});
