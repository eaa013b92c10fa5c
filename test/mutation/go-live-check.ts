import { type Mutant, mutantsOf } from './mutant.ts';

const HOSTILE = ['test/src/go-live-check/hostile-server.test.ts'];
const JUDGE = ['test/src/go-live-check/judge.test.ts'];

/** Faults in what keeps the hostile server apart from what is real, and in its verdicts. */
export const GO_LIVE_CHECK: readonly Mutant[] = [
  ...mutantsOf('src/go-live-check/answer-authorize.ts', HOSTILE, [
    ['|| !matchesRedirectUri(redirectUri, client)', ''],
    ["parameters.get('client_id') !== client.id", 'false'],
  ]),
  ...mutantsOf('src/go-live-check/open-run.ts', HOSTILE, [
    ['attempt.run.id === run.id ? { secret, attempt } : undefined', '{ secret, attempt }'],
    ['run.expiresAt <= now() || ', ''],
    ['and requests < ? returning', 'and ? > 0 returning'],
  ]),
  ...mutantsOf('src/go-live-check/answer-token.ts', HOSTILE, [
    ['{ hash, usedAt: null }, { usedAt: now() }', '{ hash }, { usedAt: now() }'],
    ['after(usedAt, client.refreshRetryWindow) > now()', 'client.refreshRetryWindow > 0'],
  ]),
  ...mutantsOf('src/go-live-check/start-run.ts', HOSTILE, [
    ["if (client.mode !== 'sandbox')", 'if (false)'],
    ['await lockClient(within, clientId);', ''],
    ['productionClient: null, partner', 'partner'],
  ]),
  ...mutantsOf('src/go-live-check/finish-run.ts', HOSTILE, [
    ['{ id, finishedAt: null }, { finishedAt: now(), keys: null }', '{ id, finishedAt: null }, { finishedAt: now() }'],
    ["'production_client_id is null'", "'true'"],
  ]),
  ...mutantsOf('src/go-live-check/judge-sign-in.ts', JUDGE, [
    [
      "return failed(\n      'The authorize request has no nonce",
      "return passed(\n      'The authorize request has no nonce",
    ],
    ['age < KEYS_COOL_DOWN', 'false'],
  ]),
];
