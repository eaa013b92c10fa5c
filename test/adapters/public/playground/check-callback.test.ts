import { expect, test } from 'vitest';
import { checkCallback } from '../../../../adapters/public/playground/ui/src/sign-in/check-callback.ts';

const ISSUER = 'https://auth.example';
const RIGHT: [string, string][] = [
  ['code', 'ac_1'],
  ['state', 's1'],
];

function failures(
  parameters: [string, string][],
  { attempt = { state: 's1' } as { state: string | undefined } | undefined, sendsIssuer = false } = {},
) {
  const checks = checkCallback(parameters, { attempt, issuer: ISSUER, sendsIssuer });
  return checks.filter(({ passed }) => !passed).map(({ name }) => name);
}

test('a right callback passes, with iss and without where the metadata does not announce it', () => {
  expect(failures(RIGHT)).toEqual([]);
  expect(failures([...RIGHT, ['iss', ISSUER]], { sendsIssuer: true })).toEqual([]);
});

test('RFC 9700 §2.1: another state, a missing one, and a callback that nobody asked for fail', () => {
  const name = 'state is the one that was sent';
  expect(
    failures([
      ['code', 'ac_1'],
      ['state', 's2'],
    ]),
  ).toEqual([name]);
  expect(failures([['code', 'ac_1']])).toEqual([name]);
  expect(checkCallback(RIGHT, { attempt: undefined, issuer: ISSUER, sendsIssuer: false })[1]?.passed).toBe(false);
});

test('RFC 9207 §2.4: another issuer fails, and a missing one where the metadata announces it', () => {
  const name = 'iss is the issuer';
  expect(failures([...RIGHT, ['iss', 'https://evil.example']])).toEqual([name]);
  expect(failures(RIGHT, { sendsIssuer: true })).toEqual([name]);
});

test('an error, a missing code and a repeated parameter fail', () => {
  const name = 'There is a code, and no error';
  expect(
    failures([
      ['error', 'access_denied'],
      ['state', 's1'],
    ]),
  ).toEqual([name]);
  expect(failures([['state', 's1']])).toEqual([name]);
  expect(failures([...RIGHT, ['code', 'ac_2']])).toEqual(['No parameter is repeated']);
});
