import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { helpLinks } from '../../../adapters/http/help-link.ts';
import { readConfig } from '../../../src/config/config.ts';
import { callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();
const docs = await (await fetch(`${app.config.docsUrl}/errors`)).text();

/** The anchor of the answer's help link; undefined where it has none. */
function helpOf(link: string | null | undefined): string | undefined {
  const [, anchor] = new RegExp(`<${app.config.docsUrl}/errors#([\\w-]+)>; rel="help"`).exec(link ?? '') ?? [];
  return anchor;
}

/** Every link must lead to an entry. */
function expectHelp(link: string | null | undefined, anchor: string): void {
  expect(helpOf(link)).toBe(anchor);
  expect(docs).toContain(`id="${anchor}"`);
}

describe('an error of the Fan API links to the entry of its code', () => {
  it.each([
    ['no token', 'GET', '/tickets', undefined, 'access_token_missing'],
    ['no JWT', 'GET', '/tickets', 'x', 'access_token_malformed'],
    ['an unknown path', 'GET', '/ticket', undefined, 'unknown_route'],
    ['another method', 'PUT', '/tickets', undefined, 'method_not_allowed'],
  ])('%s', async (_, method, path, token, code) => {
    const { headers } = await callFan(app, path, token, { method });
    expect(headers.get('x-error-code')).toBe(code);
    expectHelp(headers.get('link'), code);
  });

  it('a bad query, a body of another type, a scope that is missing', async () => {
    const { access_token } = await signIn(app, { scope: 'openid fan:tickets:read' });
    const bad = await callFan(app, '/tickets?limit=x', access_token);
    expectHelp(bad.headers.get('link'), 'invalid_request');
    const missing = await callFan(app, '/claims/execute', access_token, { method: 'POST', body: '{}' });
    expectHelp(missing.headers.get('link'), 'scope_missing');
  });

  it('a success has no such link', async () => {
    const { access_token } = await signIn(app, { scope: 'openid fan:tickets:read' });
    expect(helpOf((await callFan(app, '/tickets', access_token)).headers.get('link'))).toBeUndefined();
  });
});

describe('an error of the authorization server too', () => {
  const post = (form: Record<string, string>) =>
    fetch(`${app.config.authUrl}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });

  it('the token endpoint', async () => {
    expectHelp((await post({ grant_type: 'password' })).headers.get('link'), 'oauth-unsupported_grant_type');
    expectHelp((await post({})).headers.get('link'), 'oauth-invalid_request');
    const refresh = { grant_type: 'refresh_token', client_id: app.kit.client_id, refresh_token: 'x' };
    expectHelp((await post(refresh)).headers.get('link'), 'oauth-invalid_grant');
    expectHelp((await post({ client_secret: 'x' })).headers.get('link'), 'oauth-invalid_client');
  });

  it('userinfo, and an unknown path for a program', async () => {
    expectHelp((await fetch(`${app.config.authUrl}/oauth2/userinfo`)).headers.get('link'), 'oauth-invalid_token');
    expectHelp((await fetch(`${app.config.authUrl}/oauth2/nothing`)).headers.get('link'), 'oauth-invalid_request');
  });

  it('the page of a wrong authorize request, which shows the link to developers as well', async () => {
    const answer = await fetch(`${app.config.authUrl}/oauth2/authorize?client_id=x`);
    expect(answer.status).toBe(400);
    expectHelp(answer.headers.get('link'), 'oauth-invalid_request');
    expect(await answer.text()).toContain(`href="${app.config.docsUrl}/errors#oauth-invalid_request"`);
  });
});

describe('what Node refuses by itself', () => {
  it('431: header fields that are far too long', async () => {
    const link = await new Promise<string | undefined>((resolve, reject) => {
      const url = new URL(`${app.config.apiUrl}/tickets`);
      httpRequest(url, { headers: { 'x-long': 'a'.repeat(60_000) } }, (answer) => {
        expect(answer.statusCode).toBe(431);
        resolve(answer.headers.link as string | undefined);
        answer.resume();
      })
        .on('error', reject)
        .end();
    });
    expectHelp(link, 'invalid_request');
  });

  it('400: what is no HTTP', async () => {
    const { port } = new URL(app.origin);
    const text = await new Promise<string>((resolve, reject) => {
      let said = '';
      const socket = connect(Number(port), 'localhost', () =>
        socket.write('GET /fan/tickets HTTP/1.1\r\nbad header\r\n\r\n'),
      );
      socket.on('data', (part) => {
        said += part;
      });
      socket.on('close', () => resolve(said));
      socket.on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expectHelp(/^Link: (.*)$/m.exec(text)?.[1], 'invalid_request');
  });
});

describe('where the documentation is served nowhere', () => {
  it('there are no links; with DOCS_URL, they lead there', () => {
    expect(helpLinks(readConfig({ SURFACES: 'fan' }))('fan', 404, 'not_found')).toBeUndefined();
    const elsewhere = readConfig({ SURFACES: 'fan', DOCS_URL: 'https://dev.example/docs' });
    expect(helpLinks(elsewhere)('fan', 404, 'not_found')).toBe(
      '<https://dev.example/docs/errors#not_found>; rel="help"',
    );
  });

  it('a fault of ours, and a dependency that is down, have the code of their protocol', () => {
    const linkOf = helpLinks(readConfig({}));
    expect(linkOf('fan', 500)).toContain('#internal>');
    expect(linkOf('oauth', 500, 'internal')).toContain('#oauth-server_error>');
    expect(linkOf('oauth', 503, 'unavailable')).toContain('#oauth-temporarily_unavailable>');
    expect(linkOf('text', 503)).toContain('#unavailable>');
    expect(linkOf('graphql', 500)).toBeUndefined();
  });
});
