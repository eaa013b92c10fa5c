import { describe, expect, it } from 'vitest';
import { ALL_SCOPES, parseScope, SCOPES_IN_USE } from '../../../src/partners/scopes.ts';

/** Written from spec §5.13, not from the code. */
const ACTIONS = [
  ...['fan:read', 'fan:write'],
  ...['tickets', 'listings', 'profile', 'waitlist', 'cart'].flatMap((thing) => [
    `fan:${thing}:read`,
    `fan:${thing}:write`,
  ]),
  'fan:claims:write',
];

it('spec §5.13: the scopes are three standard ones and thirteen actions', () => {
  expect([...ALL_SCOPES].sort()).toEqual(['openid', 'profile', 'offline_access', ...ACTIONS].sort());
});

it('spec §4.1: a scope is in use where it is standard or an operation requires it', () => {
  expect([...SCOPES_IN_USE].sort()).toEqual(
    ['openid', 'profile', 'offline_access', 'fan:tickets:read', 'fan:listings:write', 'fan:claims:write'].sort(),
  );
});

describe('RFC 6749 §3.3: scope', () => {
  it('is a list of scopes, separated by spaces; a repeated one counts once, and extra spaces do no harm', () => {
    expect(parseScope('openid fan:read openid')).toEqual(['openid', 'fan:read']);
    expect(parseScope('  openid   fan:read ')).toEqual(['openid', 'fan:read']);
  });

  it.each(['', ' ', 'openid\tprofile', 'openid\nprofile', 'a"b', 'a\\b', 'é', 'a\0'])('is not %j', (text) => {
    expect(parseScope(text)).toBeUndefined();
  });
});
