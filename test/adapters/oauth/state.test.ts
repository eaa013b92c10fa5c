import { describe, expect, it } from 'vitest';
import { authorize, authorizeUrl, consent, login, verifyPhone } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { sendAuthorize, sendQuery } from './send-authorize.ts';

const app = await testApp();

const STATES: [string, string][] = [
  ['letters', 'xyz'],
  ['a space', 'a b'],
  ['a plus', 'a+b'],
  ['what looks encoded', '%20%2B%zz'],
  ['what separates parameters', 'a&code=1=2;#?/'],
  ['quotes and markup', `"'<script>\\`],
  ['Unicode', 'Zażółć 座席 🎟️ é'],
  ['line ends', 'a\r\nLocation: https://evil.example.com\n'],
  ['JSON', '{"next":"/account?tab=1"}'],
  ['4 KiB', 's'.repeat(4096)],
  ['4 KiB of Unicode', '🎟'.repeat(1024)],
];

describe('spec §5.4: state is returned unchanged', () => {
  it.each(STATES)('with the code: %s', async (_, state) => {
    const started = await authorize(app, { parameters: { state } });
    await verifyPhone(app, started);
    const callback = await consent(app, started);
    expect([...callback.searchParams.keys()]).toEqual(['code', 'state']);
    expect(callback.searchParams.get('state')).toBe(state);
  });

  it.each(STATES)('with an error of authorize: %s', async (_, state) => {
    const { status, query } = await sendAuthorize(app, { parameters: { state, prompt: 'none' } });
    expect([status, query.error, query.state]).toEqual([302, 'login_required', state]);
  });

  it('with the refusal of the fan', async () => {
    const started = await authorize(app, { parameters: { state: 'a+b c' } });
    const { redirectTo } = await login<{ redirectTo: string }>(app, started, 'consent.deny');
    const query = Object.fromEntries(new URL(redirectTo).searchParams);
    expect(query).toEqual({ error: 'access_denied', error_description: expect.any(String), state: 'a+b c' });
  });

  it.each([
    ['a plus in the query is a space, as in every form', 'a+b', 'a b'],
    ['a space may come as %20', 'a%20b', 'a b'],
    ['a plus comes as %2B', 'a%2Bb', 'a+b'],
  ])('%s', async (_, encoded, state) => {
    const { url } = await authorizeUrl(app, { parameters: { state: undefined, prompt: 'none' } });
    const { query } = await sendQuery(app, `${url.searchParams}&state=${encoded}`);
    expect(query.state).toBe(state);
  });
});

describe('D-047 state: what can not be returned byte for byte is refused, and not returned at all', () => {
  it.each([
    ['4,097 bytes', 's'.repeat(4097)],
    ['10 kB', 's'.repeat(10_000)],
    ['4,098 bytes in fewer characters', 'é'.repeat(2049)],
    ['a NUL, which the database can not hold', 'a\0b'],
  ])('%s', async (_, state) => {
    const { status, query } = await sendAuthorize(app, { parameters: { state } });
    expect([status, query.error]).toEqual([302, 'invalid_request']);
    expect(query.error_description).toMatch(/^state must be/);
    expect(query).not.toHaveProperty('state');
  });

  it('bytes that are not UTF-8', async () => {
    const { url } = await authorizeUrl(app, { parameters: { state: undefined } });
    const { query } = await sendQuery(app, `${url.searchParams}&state=%ff%fe`);
    expect([query.error, query.state]).toEqual(['invalid_request', undefined]);
  });

  it('an empty state is none', async () => {
    const { query } = await sendAuthorize(app, { parameters: { state: '' } });
    expect([query.error, query.error_description]).toEqual(['invalid_request', 'state is required']);
  });
});
