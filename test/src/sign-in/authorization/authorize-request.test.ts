import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/entities/client.ts';
import { DomainError } from '../../../../src/platform/errors.ts';
import { OAuthError } from '../../../../src/platform/oauth-error.ts';
import {
  type AuthorizeRequest,
  checkAuthorizeRequest,
  requestedClientId,
} from '../../../../src/sign-in/authorization/authorize-request.ts';

const REDIRECT_URI = 'http://localhost:4000/callback';
const REGISTERED = [REDIRECT_URI, 'http://localhost:4000/cb?tenant=a%2Fb&flag', 'https://p.example/%zz'];

const CLIENT = {
  redirectUris: REGISTERED,
  loopbackAnyPort: false,
  scopes: ['openid', 'fan:tickets:read'],
  status: 'enabled',
  stopped: false,
} as unknown as Client;

const GOOD = {
  client_id: 'client_01h455vb4pex5vsknk084sn02q',
  redirect_uri: REDIRECT_URI,
  response_type: 'code',
  scope: 'openid fan:tickets:read',
  state: 'xyz',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

type Changes = Record<string, string | undefined>;

/** A good request with changes, and with parameters that are given once more. */
function check(changes: Changes, again: Record<string, string> = {}, client: Partial<Client> = {}): AuthorizeRequest {
  const given = Object.entries({ ...GOOD, ...changes }).filter(([, value]) => value !== undefined) as [
    string,
    string,
  ][];
  const parameters = new URLSearchParams([...given, ...Object.entries(again)]);
  requestedClientId(parameters);
  return checkAuthorizeRequest(parameters, { ...CLIENT, ...client });
}

/** How a request is refused: `page: …` in the browser, or by redirect with its error, description and state. */
function refusal(...request: Parameters<typeof check>): { text: string; state?: string | undefined } {
  try {
    check(...request);
    return { text: 'none' };
  } catch (error) {
    if (error instanceof DomainError) return { text: `page: ${error.message}` };
    if (!(error instanceof OAuthError)) throw error;
    expect(error.redirect?.redirectUri).toBe(REDIRECT_URI);
    return { text: `${error.error}: ${error.message}`, state: error.redirect?.state };
  }
}

/** Faults in the decided order of the checks, each with the answer that it gets alone. */
const FAULTS: { fault: string; changes: Changes; again?: Record<string, string>; client?: object; error: string }[] = [
  { fault: 'no client_id', changes: { client_id: undefined }, error: 'page: The link has no client_id' },
  { fault: 'no redirect_uri', changes: { redirect_uri: undefined }, error: 'page: The link has no redirect_uri' },
  { fault: 'no response_type', changes: { response_type: undefined }, error: 'invalid_request: response_type' },
  { fault: 'a nonce given twice', changes: { nonce: 'n' }, again: { nonce: 'n' }, error: 'invalid_request: nonce' },
  { fault: 'a request object', changes: { request: 'e30.e30.' }, error: 'request_not_supported: request' },
  { fault: 'a request_uri', changes: { request_uri: 'https://p.example/r' }, error: 'request_uri_not_supported' },
  { fault: 'no scope', changes: { scope: undefined }, error: 'invalid_request: scope' },
  { fault: 'no state', changes: { state: undefined }, error: 'invalid_request: state' },
  { fault: 'no code_challenge', changes: { code_challenge: undefined }, error: 'invalid_request: code_challenge' },
  { fault: 'an unknown mode', changes: { mode: 'live' }, error: 'invalid_request: mode must be sandbox or production' },
  { fault: 'a suspended client', changes: {}, client: { status: 'suspended' }, error: 'unauthorized_client' },
  { fault: 'prompt=none', changes: { prompt: 'none' }, error: 'login_required' },
];

describe('several errors: the one that is checked first is named', () => {
  const rows = FAULTS.flatMap((fault, index) => {
    const all = { fault: `${fault.fault}, and all later ones`, faults: FAULTS.slice(index), error: fault.error };
    return [{ ...fault, faults: [fault] }, all];
  });
  it.each(rows)('$fault: $error', ({ faults, error }) => {
    // the earlier fault decides what a parameter says, where two touch it
    const [changes, again, client] = (['changes', 'again', 'client'] as const).map((part) =>
      Object.assign({}, ...faults.map((fault) => fault[part]).reverse()),
    );
    expect(refusal(changes, again, client).text.startsWith(error)).toBe(true);
  });
});

it.each([
  ['spec §5.4', 'response_type', ['token', 'id_token', 'code id_token', 'CODE', 'none'], 'unsupported_response_type: '],
  ['spec §5.4', 'scope', ['email', 'openid email', 'openid OPENID', 'fan:claims:read', ' '], 'invalid_scope: scope '],
  ['RFC 6749 §3.3', 'scope', ['openid\tprofile', 'é'], 'invalid_scope: scope must be scopes, separated by spaces'],
  ['spec §5.4, naming it', 'scope', ['openid offline_access'], 'invalid_scope: scope offline_access is not allowed'],
  [
    'RFC 7636 §4.3',
    'code_challenge_method',
    ['plain', 's256', undefined, ''],
    'invalid_request: code_challenge_method',
  ],
  ['spec §5.1', 'code_challenge', ['', 'A'.repeat(42)], 'invalid_request: code_challenge '],
  ['spec §5.4', 'mode', [' ', 'Sandbox', 'test', 'sandbox '], 'invalid_request: mode must be sandbox or production'],
  [
    'Multiple Response Types §2.1',
    'response_mode',
    ['fragment', 'form_post', 'query.jwt', 'QUERY'],
    'invalid_request: response_mode must',
  ],
  ['OIDC Core §3.1.2.1', 'prompt', ['none login', 'login none'], 'invalid_request: prompt=none must stand alone'],
  ['what can’t be given back', 'nonce', ['n'.repeat(1025), 'n\0'], 'invalid_request: nonce must be at most'],
  ['RFC 6749 §3.1, empty is missing', 'response_type', [''], 'invalid_request: response_type is required'],
  ['RFC 6749 §3.1, empty is missing', 'scope', [''], 'invalid_request: scope is required'],
  ['RFC 6749 §3.1, empty is missing', 'state', [''], 'invalid_request: state is required'],
])('%s: %s of %j is refused by redirect: %s', (_, name, values, error) => {
  for (const value of values) expect(refusal({ [name]: value }).text.slice(0, error.length), value).toBe(error);
});

describe('RFC 6749 §3.1: a parameter must not be given more than once', () => {
  const names = ['scope', 'code_challenge', 'code_challenge_method', 'nonce', 'mode', 'state', 'prompt', 'login_hint'];
  it.each([...names, 'ui_locales', 'max_age', 'request', 'something_unknown', 'response_type'])(
    '%s, also when both are the same, or empty',
    (name) => {
      for (const value of name === 'response_type' ? ['code'] : ['code', '']) {
        const { text } = refusal({ [name]: value }, { [name]: value });
        expect(text).toBe(`invalid_request: ${name} must not be given more than once`);
      }
    },
  );

  it.each(['client_id', 'redirect_uri'] as const)('%s: a page, never a redirect', (name) => {
    expect(refusal({}, { [name]: GOOD[name] }).text).toBe(`page: The link names ${name} more than once.`);
  });

  it('what a name has that a description may not is replaced', () => {
    expect(refusal({ '"ä\n': '1' }, { '"ä\n': '2' }).text).toMatch('invalid_request: ??? must not be given');
  });
});

describe('client not enabled / suspended: unauthorized_client', () => {
  const REFUSED = 'unauthorized_client: this client is not enabled';
  it.each([
    ...(['draft', 'in_review', 'approved', 'suspended', 'rejected'] as const).map(
      (status) => [status, REFUSED] as const,
    ),
    ...(['sandbox-ready', 'enabled'] as const).map((status) => [status, 'none'] as const),
  ])('a client that is %s: %s', (status, expected) => {
    expect(refusal({}, {}, { status }).text).toBe(expected);
    expect(refusal({}, {}, { status, stopped: true as never }).text, 'stopped').toBe(REFUSED);
  });
});

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
  ['a malformed one that was registered before these were refused', 'https://p.example/%zz'],
  ['nothing', ''],
])(
  'spec §5.4: redirect_uri must match exactly; otherwise a page, never a redirect: %s, also when everything else is wrong',
  (_, redirect_uri) => {
    const wrong = { scope: undefined, response_type: 'token', state: undefined, prompt: 'none' };
    for (const others of [{}, wrong]) {
      expect(refusal({ ...others, redirect_uri }).text).toMatch(
        /^page: The link has no redirect_uri|^page: The redirect_uri/,
      );
    }
  },
);

describe('spec §5.4: state is returned unchanged', () => {
  it.each([
    ...[
      'xyz',
      'a b',
      'a+b',
      '%20%2B%zz',
      'a&code=1=2;#?/',
      `"'<script>\\`,
      'Zażółć 座席 🎟️ é',
      '{"next":"/account?tab=1"}',
    ],
    ...['a\r\nLocation: https://evil.example.com\n', 's'.repeat(4096), '🎟'.repeat(1024)],
  ])('%j', (state) => {
    expect(check({ state }).state).toBe(state);
    expect(refusal({ state, prompt: 'none' }).state).toBe(state);
  });

  it.each([
    ['4,097 bytes', 's'.repeat(4097)],
    ['10 kB', 's'.repeat(10_000)],
    ['4,098 bytes in fewer characters', 'é'.repeat(2049)],
    ['a NUL, which the database can not hold', 'a\0b'],
    ['bytes that were not UTF-8', 'a\uFFFD'],
  ])('what can not be returned byte for byte is refused, and not returned at all: %s', (_, state) => {
    const refused = refusal({ state });
    expect(refused.text).toMatch(/^invalid_request: state must be/);
    expect(refused.state).toBeUndefined();
  });

  it('of two states none is returned', () => {
    expect(refusal({}, { state: 'second' }).state).toBeUndefined();
  });
});

describe('prompt, max_age, … and unknown ones: no error', () => {
  it.each([
    ['prompt', ['login', 'consent', 'select_account login', 'create']],
    ['max_age', ['0', 'x']],
    ['ui_locales', ['de-AT en', '']],
    ['display', ['popup']],
    ['acr_values', ['gold']],
    ['claims', ['{"userinfo":{}}', '']],
    ['response_mode', ['query', '']],
    ['id_token_hint', ['x.y.z']],
    ['resource', ['https://api.example.com']],
    ['something_unknown', ['\0']],
    ['login_hint', ['x'.repeat(5000), '']],
    ['nonce', ['', 'n'.repeat(1024)]],
    ['mode', ['sandbox', 'production', '']],
    ['request', ['']],
    ['request_uri', ['']],
  ])('%s of %j', (name, values) => {
    for (const value of values) expect(refusal({ [name]: value }).text, value).toBe('none');
  });

  it('extra spaces in scope are folded', () => {
    expect(check({ scope: '  openid   fan:tickets:read  ' }).scope).toBe('openid fan:tickets:read');
  });
});
