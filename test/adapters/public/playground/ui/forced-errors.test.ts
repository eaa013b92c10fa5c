import { expect, test } from 'vitest';
import { testBrowser } from '../../../../support/test-browser.ts';
import { testChainApp } from '../../../../support/test-chain-app.ts';
import { newFan } from '../../../fan-pages/login/ui/fan.ts';
import { DESK, force, openPlayground, openStep, outcomeOf, passHostedPages, signInAs } from './developer.ts';

const limits = { ACCESS_TOKEN_TTL: '600', FAN_RATE_LIMIT: '60' };
const [app, browser] = await Promise.all([testChainApp({ env: limits }), testBrowser()]);
const [user] = app.users;
const context = await newFan(browser, DESK);
context.setDefaultTimeout(15_000);
const page = await context.newPage();
await openPlayground(page, app);
await signInAs(page, user);
await openStep(page, 'Force errors');

test.each([
  ['No access token', '401 access_token_missing'],
  ['The ID token as access token', '401 access_token_invalid'],
  ['A changed access token', '401 access_token_invalid'],
  ['An access token without the scope', '403 scope_missing'],
  ['A refresh by another client', '400 invalid_request'],
  ['A refresh that asks for more', '400 invalid_scope'],
  ['An unknown address', '404 unknown_route'],
  ['A wrong method', '405 method_not_allowed'],
  ['An unknown field', '400 invalid_request'],
  ['Bytes that are not a transaction', '400 truncated'],
  ['A tampered transaction', '400 signature_invalid'],
  ['A listing with the price zero', '400 price_zero'],
  ['A listing sent as a cancellation', '400 wrong_instruction'],
  ['A ticket that does not exist', '404 not_found'],
])('%s: the service answers %s', { timeout: 30_000 }, async (title, answer) => {
  expect(await force(page, title)).toBe(`As expected: ${answer}`);
});

test.each([
  ['A scope that the client may not ask for', 'invalid_scope'],
  ['PKCE with plain instead of S256', 'invalid_request'],
  ['prompt=none', 'login_required'],
])('%s: the callback gets %s', { timeout: 30_000 }, async (title, error) => {
  await page.getByRole('button', { name: `Force it: ${title}` }).click();
  await page.getByRole('alert').getByText(error).waitFor();
  await openStep(page, 'Force errors');

  expect(await outcomeOf(page, title)).toBe(`As expected: ${error}`);
});

test('an unregistered redirect_uri ends on a page of the service, and "back" loses nothing', async () => {
  await page.getByRole('button', { name: 'Force it: A redirect_uri that is not registered' }).click();
  await page.getByText('The redirect_uri of the link is not one that this app has registered').waitFor();
  await page.goBack();

  expect(await outcomeOf(page, 'prompt=none')).toBe('As expected: login_required');
});

test.each([
  ['A wrong code_verifier', 'Invalid PKCE code_verifier'],
  ['Another redirect_uri at the exchange', 'redirect_uri does not match the authorize request'],
  ['Another client at the exchange', 'client_id does not match the authorize request'],
])('%s: the token endpoint answers 400 invalid_request', { timeout: 40_000 }, async (title, message) => {
  await page.getByRole('button', { name: `Force it: ${title}` }).click();
  await passHostedPages(page, user);

  expect(await outcomeOf(page, title)).toBe('As expected: 400 invalid_request');
  expect(await page.locator('.call').first().innerText()).toContain(message);
});

test('too many calls: the limit of this grant is reached by real calls', { timeout: 90_000 }, async () => {
  expect(await force(page, 'Too many calls', 60_000)).toBe('As expected: 429 rate_limited');
  expect(await page.locator('.call').first().innerText()).toMatch(/retry-after/i);
});

test.each([
  ['A refresh token that was used already', '400 invalid_grant'],
  ['A code that was used already', '400 invalid_request'],
])('%s: the service answers %s, and the tokens are gone', { timeout: 40_000 }, async (title, answer) => {
  await openStep(page, 'Sign a fan in');
  await signInAs(page, user);
  await openStep(page, 'Force errors');
  expect(await force(page, title)).toBe(`As expected: ${answer}`);

  await openStep(page, 'Read the tickets');
  await page.getByRole('button', { name: 'Load tickets' }).click();
  await page.getByRole('alert').getByText('401 grant_revoked').waitFor();
});

test('an expired access token: the playground waits for its end, and says how long', async () => {
  const patient = await context.newPage();
  await patient.clock.install();
  await openPlayground(patient, app);
  await signInAs(patient, user);
  await openStep(patient, 'Force errors');
  await patient.getByRole('button', { name: 'Force it: An expired access token' }).click();
  await patient.getByText(/^\d{3} s to wait$/).waitFor();
  app.advance(602);
  await patient.clock.fastForward(602_000);
  expect(await outcomeOf(patient, 'An expired access token')).toBe('As expected: 401 access_token_expired');
  app.resetClock();
});
