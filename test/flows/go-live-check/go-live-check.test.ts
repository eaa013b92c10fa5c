import { beforeAll, describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/sandbox/go-live-check/checks.ts';
import { runAddresses } from '../../../src/sandbox/go-live-check/run-addresses.ts';
import { startRun } from '../../../src/sandbox/go-live-check/start-run.ts';
import { makeClient } from '../../support/make-client.ts';
import { testApp } from '../../support/test-app.ts';
import { goThrough } from './drive.ts';
import type { Faults } from './partner-app.ts';

const app = await testApp();

const PARTNERS = {
  sound: {},
  'without a state check': { noState: true },
  'that refreshes twice': { doubleRefresh: true },
  'without a nonce': { noNonce: true },
} satisfies Record<string, Faults>;
type Partner = keyof typeof PARTNERS;

const sheets: Partial<Record<Partner, Record<string, string>>> = {};

beforeAll(async () => {
  await Promise.all(
    Object.entries(PARTNERS).map(async ([name, faults]) => {
      const client = await makeClient(app, { name });
      const run = await startRun(app.context(), client, 'member:test');
      sheets[name as Partner] = await goThrough(runAddresses(app.config, run.id), client, faults);
    }),
  );
}, 60_000);

/** The checks that an app does not pass. */
function notPassed(partner: Partner): Record<string, string> {
  const entries = Object.entries(sheets[partner] ?? {});
  expect(entries).toHaveLength(CHECKS.length);
  return Object.fromEntries(entries.filter(([, verdict]) => verdict !== 'passed'));
}

describe('the go-live check finds exactly the faults of', () => {
  test('a sound partner: none', () => {
    expect(notPassed('sound')).toEqual({});
  });

  test('a partner that does not compare state', () => {
    expect(notPassed('without a state check')).toEqual({
      'wrong-state': expect.stringMatching(/^failed: The code of a callback with the wrong state was sent/),
    });
  });

  test('a partner whose callers refresh each by itself', () => {
    expect(notPassed('that refreshes twice')).toEqual({
      'refresh-race': expect.stringMatching(/^failed: A refresh token was sent twice/),
    });
  });

  test('a partner that sends no nonce', () => {
    expect(notPassed('without a nonce')).toEqual({
      'wrong-nonce': expect.stringMatching(/^failed: The authorize request has no nonce/),
    });
  });
});
