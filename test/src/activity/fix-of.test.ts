import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fixOf, MESSAGES_WITH_FIX } from '../../../src/activity/fix-of.ts';
import { CHAIN_FIXES } from '../../../src/chain-error.ts';
import { ERRORS } from '../../../src/errors.ts';
import { OAUTH_FIXES } from '../../../src/oauth/oauth-error.ts';

const SENTENCES = /^[A-Z].*[^.]\.$/;

describe('what to tell a partner', () => {
  it.each([
    ['tickets.list', Object.keys(ERRORS)],
    ['login.phone.sendCode', Object.keys(ERRORS)],
    ['graphql.mutation', Object.keys(ERRORS)],
    ['listings.sign', [...Object.keys(CHAIN_FIXES), ...Object.keys(ERRORS)]],
    ['claims.execute', [...Object.keys(CHAIN_FIXES), ...Object.keys(ERRORS)]],
    ['token.exchange', [...Object.keys(OAUTH_FIXES), 'server_error', 'rate_limited', 'unavailable']],
    ['authorize.start', [...Object.keys(OAUTH_FIXES), 'internal', 'unavailable']],
  ])('%s: every code has a fix, in whole sentences', (operation, codes) => {
    for (const outcome of codes) {
      expect(fixOf({ operation, outcome, message: null }), outcome).toMatch(SENTENCES);
    }
  });

  it('invalid_request is told by its message, which is one that the code sends', async () => {
    const folder = new URL('../../../src/token/', import.meta.url);
    const names = [...(await readdir(folder)), '../authorization/authorize-request.ts'];
    const files = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
    const source = files.join('\n');
    const general = fixOf({ operation: 'token.exchange', outcome: 'invalid_request', message: 'code is required' });
    for (const message of MESSAGES_WITH_FIX) {
      expect(source).toContain(`'${message}'`);
      const fix = fixOf({ operation: 'token.exchange', outcome: 'invalid_request', message });
      expect(fix).toMatch(SENTENCES);
      expect(fix).not.toBe(general);
    }
  });

  it('the same code has the fix of the endpoint that answered it', () => {
    const of = (operation: string) => fixOf({ operation, outcome: 'invalid_request', message: null });
    expect(of('token.exchange')).toBe(OAUTH_FIXES.invalid_request);
    expect(of('tickets.list')).toBe(ERRORS.invalid_request.fix);
  });

  it('what went well has none, and neither has an unknown code', () => {
    expect(fixOf({ operation: 'tickets.list', outcome: 'ok', message: null })).toBeUndefined();
    for (const outcome of ['http_418', 'constructor', '__proto__'])
      expect(fixOf({ operation: 'tickets.list', outcome, message: outcome })).toBeUndefined();
  });
});
