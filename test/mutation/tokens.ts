import { type Mutant, mutantsOf } from './mutant.ts';

/** Faults in what is done once, where requests share statements, and in what ends a sign-in. */
export const TOKENS: readonly Mutant[] = [
  ...mutantsOf(
    'src/database/share-statement.ts',
    ['test/src/database/share-statement.test.ts'],
    [
      ['mostTogether: MOST_TOGETHER', 'mostTogether: MOST_TOGETHER + 1'],
      ['mostUnderWay: 4', 'mostUnderWay: 5'],
      ["prepared<Row>(textOf('skip locked'))", "prepared<Row>(textOf(''))"],
      ['answers[row.n] = { row };', 'answers[all.length - 1 - row.n] = { row };'],
      ['if (!isOfOneRequest(error)) throw error;', 'throw error;'],
    ],
  ),
  ...mutantsOf(
    'src/take-turns.ts',
    ['test/src/database/share-statement.test.ts', 'test/src/chain/gateway/share-reads.test.ts'],
    [
      ['      if (!isPassed) sendNext();\n', ''],
      ['      sendNext();\n    }, PATIENCE_MS);', '    }, PATIENCE_MS);'],
      ['if (!isFree) return void waiting.push(AsyncResource.bind(send));', ''],
    ],
  ),
  ...mutantsOf(
    'src/token/exchange-code.ts',
    ['test/src/token/exchange-code.test.ts', 'test/src/token/lost-answers.test.ts', 'test/races/tokens.test.ts'],
    [
      ['(c.used_at is null and c.expires_at > e.now or', '(c.expires_at > e.now or'],
      ['(c.used_at is null and c.expires_at > e.now or', '(c.used_at is null or'],
      [' or c.used_in = e.call or', ' or'],
      ['on e.n = l.n', 'on e.n >= l.n'],
      ['and l.code_challenge = e.challenge', ''],
    ],
  ),
  ...mutantsOf(
    'src/token/refresh-tokens.ts',
    ['test/src/token/refresh-tokens.test.ts', 'test/src/token/lost-answers.test.ts', 'test/races/tokens.test.ts'],
    [
      ['and f.client_id = e.client and f.revoked_at is null', 'and f.revoked_at is null'],
      ['in (e.call, e.repeated))', 'in (e.repeated))'],
      ["and string_to_array(e.narrowed, ' ') <@ string_to_array(g.scope, ' ')\n", ''],
    ],
  ),
  ...mutantsOf(
    'src/consent/record-consent.ts',
    ['test/src/consent/consent.test.ts', 'test/src/token/lost-answers.test.ts', 'test/races/tokens.test.ts'],
    [
      ["s.step = 'consent' and s.fan_id = given.fan", 's.fan_id = given.fan'],
      [' and g.actions <@ given.actions', ''],
      ['if (consent.tickets.length === 0) return', 'if (consent.tickets.length < 99) return'],
      ['!done?.ended && !done?.recorded', '!done?.ended'],
    ],
  ),
  ...mutantsOf(
    'src/verification/send-test-code.ts',
    ['test/src/verification/phone-codes.test.ts', 'test/adapters/login/session.test.ts'],
    [
      ["case when known then 'code' else s.step end", "'code'"],
      [' and s.codes_sent < $5', ' and $5::int > 0'],
      ["from: 'asked where known'", "from: 'asked'"],
    ],
  ),
  ...mutantsOf(
    'src/verification/recycled-number.ts',
    ['test/adapters/login/session.test.ts', 'test/src/abuse/code-limits.test.ts'],
    [[' and exists (select from moved))', ')']],
  ),
];
