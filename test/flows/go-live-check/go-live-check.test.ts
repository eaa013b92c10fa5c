import { expect, test } from 'vitest';
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

const sheets = new Map(
  await Promise.all(
    Object.entries(PARTNERS).map(async ([name, faults]) => {
      const client = await makeClient(app, { name });
      const run = await startRun(app.context(), client, 'member:test');
      return [name, await goThrough(runAddresses(app.config, run.id), client, faults)] as const;
    }),
  ),
);

test.each<[keyof typeof PARTNERS, Record<string, RegExp>]>([
  ['sound', {}],
  ['without a state check', { 'wrong-state': /^failed: The code of a callback with the wrong state was sent/ }],
  ['that refreshes twice', { 'refresh-race': /^failed: A refresh token was sent twice/ }],
  ['without a nonce', { 'wrong-nonce': /^failed: The authorize request has no nonce/ }],
])('the go-live check finds exactly the faults of a partner: %s', (partner, faults) => {
  const sheet = Object.entries(sheets.get(partner) ?? {});
  expect(sheet).toHaveLength(CHECKS.length);
  const notPassed = Object.fromEntries(sheet.filter(([, verdict]) => verdict !== 'passed'));
  const expected = Object.entries(faults).map(([name, verdict]) => [name, expect.stringMatching(verdict)]);
  expect(notPassed).toEqual(Object.fromEntries(expected));
});
