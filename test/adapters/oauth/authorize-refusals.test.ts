import { beforeAll, describe, expect, it } from 'vitest';
import { readRequest } from '../../../src/activity/read-timeline.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import { loggedRedirectUri } from '../../../src/oauth/redirect-uri.ts';
import { changeClient, makeClient } from '../../support/make-client.ts';
import { REDIRECT_URI } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { type AuthorizeAnswer, sendAuthorize } from './send-authorize.ts';

let suspended: string;
const app = await testApp();
beforeAll(async () => {
  suspended = await makeClient(app, {
    mode: 'production',
    status: 'suspended',
    redirectUris: ['https://p.example/cb'],
  });
  await changeClient(app, knownId('client', suspended), { redirectUris: [REDIRECT_URI] });
});

const STATE = 'the state of this request';

/** Faults of an authorize request in the decided order of the checks, each with the answer that it gets alone. */
const FAULTS: { fault: string; parameters: Record<string, string | undefined>; twice?: string; error: string }[] = [
  { fault: 'no client_id', parameters: { client_id: undefined }, error: 'page' },
  { fault: 'no redirect_uri', parameters: { redirect_uri: undefined }, error: 'page' },
  { fault: 'no response_type', parameters: { response_type: undefined }, error: 'invalid_request: response_type' },
  { fault: 'a nonce given twice', parameters: {}, twice: 'nonce', error: 'invalid_request: nonce' },
  { fault: 'a request object', parameters: { request: 'e30.e30.' }, error: 'request_not_supported: request' },
  { fault: 'a request_uri', parameters: { request_uri: 'https://p.example/r' }, error: 'request_uri_not_supported' },
  { fault: 'no scope', parameters: { scope: undefined }, error: 'invalid_request: scope' },
  { fault: 'no state', parameters: { state: undefined }, error: 'invalid_request: state' },
  { fault: 'no code_challenge', parameters: { code_challenge: undefined }, error: 'invalid_request: code_challenge' },
  { fault: 'an unknown mode', parameters: { mode: 'live' }, error: 'invalid_request: mode' },
  { fault: 'a suspended client', parameters: { client_id: 'SUSPENDED' }, error: 'unauthorized_client' },
  { fault: 'prompt=none', parameters: { prompt: 'none' }, error: 'login_required' },
];

function send(...faults: (typeof FAULTS)[number][]): Promise<AuthorizeAnswer> {
  // the earlier fault of a pair decides what a parameter says, where both touch it
  const parameters = Object.assign({ state: STATE }, ...faults.map((fault) => fault.parameters).reverse());
  if (parameters.client_id === 'SUSPENDED') parameters.client_id = suspended;
  const twice = faults.flatMap((fault): [string, string][] => (fault.twice ? [[fault.twice, 'again']] : []));
  return sendAuthorize(app, { parameters }, twice);
}

function described({ status, query }: AuthorizeAnswer): string {
  return status === 400 ? 'page' : `${query.error}: ${query.error_description}`;
}

describe('D-024 several errors: each fault is named', () => {
  it.each(FAULTS)('$fault: $error', async (fault) => {
    expect(described(await send(fault))).toMatch(new RegExp(`^${fault.error}`));
  });
});

describe('D-024 several errors: of two, the one that is checked first is named', () => {
  const pairs = FAULTS.slice(1).map((later, index) => ({ first: FAULTS[index] ?? later, later }));
  it.each(pairs)('$first.fault before $later.fault', async ({ first, later }) => {
    const answer = await send(first, later);
    expect(described(answer)).toMatch(new RegExp(`^${first.error}`));
  });

  it('with every fault at once, the client is named', async () => {
    const answer = await send(...FAULTS);
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('client_id');
  });
});

describe('RFC 6749 §4.1.2.1: a refusal after proof', () => {
  it('goes to the redirect URI with error, error_description and the state, and nothing else', async () => {
    const answer = await sendAuthorize(app, { parameters: { mode: 'live', state: STATE } });
    expect(answer.status).toBe(302);
    expect(answer.location).toMatch(`${REDIRECT_URI}?`);
    expect(answer.query).toEqual({
      error: 'invalid_request',
      error_description: 'mode must be sandbox or production',
      state: STATE,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.getSetCookie(), 'no session was begun').toEqual([]);
  });

  it('has no state where the request had none, or two', async () => {
    expect((await sendAuthorize(app, { parameters: { state: undefined } })).query).not.toHaveProperty('state');
    const { query } = await sendAuthorize(app, {}, [['state', 'second']]);
    expect(query.error_description).toBe('state must not be given more than once');
    expect(query).not.toHaveProperty('state');
  });
});

describe('RFC 6749 §3.1: a parameter must not be given more than once', () => {
  it.each(['client_id', 'redirect_uri'])('%s twice: a page, never a redirect', async (name) => {
    const value = name === 'client_id' ? app.kit.client_id : REDIRECT_URI;
    const answer = await sendAuthorize(app, {}, [[name, value]]);
    expect([answer.status, answer.location]).toEqual([400, undefined]);
    expect(answer.html).toContain(`${name} more than once`);
  });

  it.each([
    ...['response_type', 'scope', 'code_challenge', 'code_challenge_method', 'nonce', 'mode', 'state'],
    ...['prompt', 'login_hint', 'ui_locales', 'max_age', 'request', 'something_unknown'],
  ])('%s twice: invalid_request, also when both are the same', async (name) => {
    const same = (await sendAuthorize(app, { parameters: { [name]: 'code' } }, [[name, 'code']])).query;
    // an unusable response_type is named before duplicates are
    expect(same.error).toBe('invalid_request');
    expect(same.error_description).toBe(`${name} must not be given more than once`);
  });

  it('what a name has that a description may not is replaced', async () => {
    const { query } = await sendAuthorize(app, {}, [
      ['"ä\n', '1'],
      ['"ä\n', '2'],
    ]);
    expect(query.error_description).toBe('??? must not be given more than once');
  });
});

describe('spec §5.4: response_type', () => {
  it.each(['token', 'id_token', 'code id_token', 'CODE', 'none'])('%s: unsupported_response_type', async (type) => {
    const { query } = await sendAuthorize(app, { parameters: { response_type: type, state: STATE } });
    expect([query.error, query.state]).toEqual(['unsupported_response_type', STATE]);
  });
});

describe('spec §5.4: every requested scope must be allowed on the client', () => {
  it.each(['email', 'openid email', 'openid OPENID', 'fan:claims:read'])('%s: invalid_scope', async (scope) => {
    expect((await sendAuthorize(app, { scope })).query.error).toBe('invalid_scope');
  });

  it('a scope of the server that the client does not have: invalid_scope, naming it', async () => {
    const clientId = await makeClient(app, { scopes: ['openid', 'fan:tickets:read'] });
    const { query } = await sendAuthorize(app, { clientId, scope: 'openid fan:tickets:read fan:listings:write' });
    expect(query.error).toBe('invalid_scope');
    expect(query.error_description).toBe('scope fan:listings:write is not allowed for this client');
    const offline = await sendAuthorize(app, { clientId, scope: 'openid offline_access' });
    expect(offline.query.error).toBe('invalid_scope');
  });

  it.each(['openid\tprofile', 'openid\nprofile', 'openid\u00a0profile', 'openid,profile'])(
    'RFC 6749 §3.3: %j: invalid_scope',
    async (scope) => {
      expect((await sendAuthorize(app, { scope })).query.error).toBe('invalid_scope');
    },
  );
});

describe('spec §5.1: PKCE is mandatory, and only S256', () => {
  it.each([
    ['plain', { code_challenge_method: 'plain' }],
    ['no method, which would mean plain (RFC 7636 §4.3)', { code_challenge_method: undefined }],
    ['s256 in another case', { code_challenge_method: 's256' }],
    ['an empty method', { code_challenge_method: '' }],
    ['no challenge and no method', { code_challenge: undefined, code_challenge_method: undefined }],
    ['an empty challenge', { code_challenge: '' }],
    ['a challenge of 42 characters', { code_challenge: 'A'.repeat(42) }],
    ['a challenge of 44 characters', { code_challenge: 'A'.repeat(44) }],
    ['a challenge with padding', { code_challenge: `${'A'.repeat(43)}=` }],
    ['a challenge in the other alphabet', { code_challenge: `${'A'.repeat(41)}+A` }],
    ['a challenge in hex', { code_challenge: 'a'.repeat(64) }],
    ['43 characters that are not base64url of 32 bytes', { code_challenge: `${'A'.repeat(42)}B` }],
  ])('%s: invalid_request by redirect', async (_, parameters) => {
    const { query } = await sendAuthorize(app, { parameters: { ...parameters, state: STATE } });
    expect([query.error, query.state]).toEqual(['invalid_request', STATE]);
    expect(query.error_description).toMatch(/^code_challenge/);
  });
});

describe('D-026 client not enabled / suspended: unauthorized_client', () => {
  it.each(['draft', 'in_review', 'approved', 'suspended', 'rejected'] as const)(
    'a client that is %s',
    async (status) => {
      const clientId = await makeClient(app, { status });
      const { query, headers } = await sendAuthorize(app, { clientId, parameters: { state: STATE } });
      expect([query.error, query.state]).toEqual(['unauthorized_client', STATE]);
      expect(headers.getSetCookie()).toEqual([]);
    },
  );

  it.each(['sandbox-ready', 'enabled'] as const)('a client that is %s goes on to the login', async (status) => {
    const answer = await sendAuthorize(app, { clientId: await makeClient(app, { status }) });
    expect(answer.location).toMatch(`${app.config.loginUrl}?session_id=sess_`);
  });
});

describe('a redirect_uri that is not registered', () => {
  it('is in the request log as it was sent, without secrets; the page names neither it nor those registered', async () => {
    const sent = 'https://Shop-7f3a9c2-team42.example/cb/?code=s3cret&x=1#frag';
    const { status, html, headers } = await sendAuthorize(app, { parameters: { redirect_uri: sent } });
    expect(status).toBe(400);
    expect(html).not.toContain(REDIRECT_URI);
    expect(html).not.toContain('team42');
    await app.runtime.activity.flush();
    const entry = await readRequest(app.context(), headers.get('x-request-id') ?? '');
    expect(loggedRedirectUri('https://me:s3cret@p.example/cb')).toBe('https://…@p.example/cb');
    expect(entry).toMatchObject({
      message: expect.stringMatching(/registered.* Sent: https:\/\/Shop-7f3a9c2-team42\.example\/cb\/\?code=…&x=…#…$/),
      fix: expect.stringContaining('character for character'),
    });
  });
});
