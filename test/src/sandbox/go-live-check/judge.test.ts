import { describe, expect, test } from 'vitest';
import { CHECKS, checkNamed } from '../../../../src/sandbox/go-live-check/checks.ts';
import { isStale } from '../../../../src/sandbox/go-live-check/read-sheet.ts';
import { type CheckEvent, QUIET_SECONDS, type Watched } from '../../../../src/sandbox/go-live-check/watched.ts';

const START = new Date('2026-12-08T12:00:00Z');
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
type Bare = CheckEvent extends infer Event ? (Event extends { at: Date } ? Omit<Event, 'at'> : never) : never;
const authorize: Bare = { kind: 'authorize', facts: { nonce: true } };
const exchanged: Bare = { kind: 'exchange', facts: { refused: null } };
const refused: Bare = { kind: 'exchange', facts: { refused: 'the code was used before' } };
const userinfo: Bare = { kind: 'userinfo', facts: { generation: 1 } };
const api = (generation = 1): Bare => ({ kind: 'api', facts: { path: 'GET /tickets', generation, status: 200 } });
const refreshed = (generation: number, repeated = false): Bare => ({
  kind: 'refresh',
  facts: { generation, repeated, refused: repeated ? 'used' : null },
});
const forgiven: Bare = { kind: 'refresh', facts: { generation: 1, repeated: true, refused: null } };
const listing = (message: string, tampered: boolean): Bare => ({
  kind: 'listing',
  facts: { messages: [message], tampered },
});
const sent = (message: string): Bare => ({ kind: 'sent', facts: { message } });

/** The verdict of a check over some events, each at its second. */
function verdict(name: string, events: [number, Bare][], more: Partial<Watched> = {}): string {
  const check = checkNamed(name);
  if (!check) throw new Error(`no check ${name}`);
  return check.judge({
    events: events.map(([seconds, event]) => ({ ...event, at: at(seconds) }) as CheckEvent),
    endedAt: null,
    doneAt: null,
    now: at(60),
    habits: { uses: true, callsAfterUserinfo: true },
    keysRead: [],
    ...more,
  }).verdict;
}

/** Events by their seconds: each step is a second after the one before, a list in one second. */
function steps(...given: (Bare | Bare[])[]): [number, Bare][] {
  return given.flatMap((step, second) => [step].flat().map((event): [number, Bare] => [second, event]));
}

const signedIn = steps(authorize, exchanged);

test('every check has a name of its own', () => {
  expect(new Set(CHECKS.map(({ name }) => name)).size).toBe(CHECKS.length);
});

describe.each(CHECKS.map(({ name }) => name))('%s', (name) => {
  test('is open before a request, and not observed where none came', () => {
    expect(verdict(name, [])).toBe('open');
    expect(verdict(name, [], { endedAt: at(30) })).toBe('not_observed');
  });
});

describe('quiet', () => {
  test('is waited for, and the partner can end the wait', () => {
    expect(verdict('wrong-state', [[0, authorize]], { now: at(QUIET_SECONDS - 1) })).toBe('watching');
    expect(verdict('wrong-state', [[0, authorize]], { now: at(QUIET_SECONDS) })).toBe('passed');
    expect(verdict('wrong-state', [[0, authorize]], { now: at(1), doneAt: at(1), endedAt: at(1) })).toBe('passed');
  });

  test('that another check cut short proves nothing', () => {
    expect(verdict('wrong-state', [[0, authorize]], { endedAt: at(3) })).toBe('not_observed');
  });

  test('of an app that was never seen to go on proves nothing', () => {
    expect(verdict('wrong-state', [[0, authorize]], { habits: undefined })).toBe('not_observed');
    expect(verdict('id-token-issuer', signedIn, { habits: undefined })).toBe('not_observed');
  });

  test('does not cover what came after it', () => {
    const late: [number, Bare][] = [
      [0, authorize],
      [30, exchanged],
    ];
    expect(verdict('wrong-state', late, { doneAt: at(2), endedAt: at(2) })).toBe('failed');
  });
});

test.each([
  ['ordinary-sign-in', 'passed', steps(authorize, exchanged, userinfo)],
  ['ordinary-sign-in', 'not_observed', signedIn],
  ['ordinary-sign-in', 'failed', steps(authorize)],
  ['ordinary-sign-in', 'failed', steps(authorize, refused)],
  ['wrong-issuer', 'failed', signedIn],
  ['wrong-nonce', 'failed', steps({ kind: 'authorize', facts: { nonce: false } })],
  ['wrong-nonce', 'failed', steps(authorize, exchanged, api())],
  ['id-token-audience', 'failed', steps(authorize, exchanged, refreshed(1))],
  ['id-token-audience', 'passed', signedIn],
  ['id-token-audience', 'not_observed', steps(authorize)],
  ['id-token-signature', 'advice', steps(authorize, exchanged, userinfo)],
  ['at-hash-wrong', 'advice', steps(authorize, exchanged, userinfo)],
  ['at-hash-missing', 'passed', steps(authorize, exchanged, userinfo)],
  ['at-hash-missing', 'advice', signedIn],
  ['rotated-keys', 'passed', steps(authorize, exchanged, userinfo)],
  ['rotated-keys', 'failed', signedIn],
  ['userinfo-subject', 'failed', steps(authorize, exchanged, userinfo, api())],
  ['userinfo-subject', 'passed', steps(authorize, exchanged, userinfo)],
  ['userinfo-subject', 'not_observed', [...signedIn, [3, api()]]],
  ['replayed-code', 'passed', steps(authorize, refused)],
  ['replayed-code', 'failed', steps(authorize, refused, refused)],
  ['slow-answer', 'failed', [...signedIn, [3, refused]]],
  ['refresh-race', 'failed', steps([api(), api()], [refreshed(1), refreshed(1, true)])],
  ['refresh-race', 'passed', steps([api(), api()], refreshed(1), [api(2), api(2)])],
  ['refresh-race', 'not_observed', steps(api(), refreshed(1), api(2))],
  ['refresh-race', 'not_observed', steps([api(), api()])],
  ['lost-refresh', 'passed', steps(api(), refreshed(1))],
  ['lost-refresh', 'passed', steps(api(), refreshed(1), forgiven, api(2))],
  ['lost-refresh', 'advice', steps(api(), refreshed(1), refreshed(1, true))],
  ['lost-refresh', 'advice', [...steps(api(), refreshed(1), forgiven), [15, refreshed(1, true)]]],
  ['lost-refresh', 'not_observed', steps(api())],
  ['unauthorized-storm', 'passed', steps(api(), refreshed(1), api(2))],
  ['unauthorized-storm', 'failed', steps(...Array.from({ length: 7 }, () => api()))],
  ['unauthorized-storm', 'failed', steps(api(), refreshed(1), refreshed(2), refreshed(3), refreshed(4))],
  ['rate-limited', 'failed', steps(api(), api())],
  ['rate-limited', 'passed', [...steps(api()), [0.1, api()], [3, api()]]],
  ['rate-limited', 'passed', steps(api())],
  ['revoked-grant', 'passed', steps(api(), refreshed(1))],
  ['revoked-grant', 'failed', steps(api(), refreshed(1), refreshed(1, true))],
  ['tampered-listing', 'passed', steps(listing('a', false), sent('a'), listing('b', true))],
  ['tampered-listing', 'failed', steps(listing('a', false), sent('a'), listing('b', true), sent('b'))],
  ['tampered-listing', 'not_observed', [...steps(listing('a', false)), [2, listing('b', true)]]],
  ['tampered-listing', 'not_observed', steps(listing('a', false), sent('a'))],
  ['foreign-marketplace', 'passed', steps(listing('a', false), listing('b', false))],
  ['foreign-marketplace', 'failed', steps(listing('a', false), sent('a'))],
  ['foreign-marketplace', 'failed', steps(listing('a', false), listing('a', false))],
] as [string, string, [number, Bare][]][])('%s is %s for what came: %j', (name, expected, events) => {
  expect(verdict(name, events)).toBe(expected);
});

test('rotated keys that were read a moment ago are not held against the app', () => {
  expect(verdict('rotated-keys', signedIn, { keysRead: [at(-30)] })).toBe('not_observed');
  expect(verdict('rotated-keys', signedIn, { keysRead: [at(-90)] })).toBe('failed');
  expect(verdict('rotated-keys', signedIn, { keysRead: [at(-30), at(2)] })).toBe('failed');
});

test('a sheet is stale where redirect URIs differ, in any order', () => {
  const run = { redirectUris: ['https://a', 'https://b'], productionRedirectUris: ['https://c'] };
  expect(isStale(run, { redirectUris: ['https://b', 'https://a'] }, ['https://c'])).toBe(false);
  expect(isStale(run, { redirectUris: ['https://a'] }, ['https://c'])).toBe(true);
  expect(isStale(run, { redirectUris: ['https://a', 'https://b'] }, ['https://d'])).toBe(true);
  expect(isStale(run, { redirectUris: ['https://a', 'https://b'] }, undefined)).toBe(false);
});
