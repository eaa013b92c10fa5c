import { type Mutant, mutantsOf } from './mutant.ts';

const DOUBTS = ['test/src/database/doubts.test.ts', 'test/src/token/lost-answers.test.ts'];
const EXCHANGE = ['test/src/token/lost-answers.test.ts'];
const CONSENT = EXCHANGE;
const POOL = ['test/src/database/watch-pool.test.ts'];
const CLOCK = ['test/src/database/clock-samples.test.ts', 'test/src/database/clock.test.ts'];
const URLS = ['test/src/database/database-url.test.ts', 'test/src/database/database-tls.test.ts'];
const BATCHES = ['test/src/database/migrated-rows.test.ts', 'test/adapters/purge-expired.test.ts'];
const WORKERS = ['test/adapters/workers.test.ts'];

/** Faults in what keeps the service running while its database, its clock and its processes fail. */
export const OPERATING: readonly Mutant[] = [
  ...mutantsOf('src/database/doubts.ts', DOUBTS, [
    ['if (id === null || by === null) return false;', 'if (id === null || by === null) return true;'],
    ['return slow !== undefined || left.has(id);', 'return slow !== undefined;'],
    ['return isRecent(at.getTime());', 'return false;'],
    ['return isRecent(at.getTime());', 'return true;'],
    ['answer.answered >= question.asked', 'answer.answered >= 0'],
    ['return isRecent(question.ended_at) && answer?.doubtful === true;', 'return isRecent(question.ended_at);'],
    ['end: (now) => write(answered, [...left.keys()], now, now)', 'end: (now) => write(answered, [], now, now)'],
  ]),
  ...mutantsOf('src/database/until-known.ts', EXCHANGE, [
    ["(!again && fault !== 'lost')", "(fault !== 'lost')"],
    ['doubts.leave(id);', 'doubts.settle(id);'],
  ]),
  ...mutantsOf('src/token/exchange-code.ts', EXCHANGE, [
    ['!code.answered && ', ''],
    ['code.expires_at > now.getTime() && !code.answered', '!code.answered'],
  ]),
  ...mutantsOf('src/consent/grant-consent.ts', CONSENT, [
    ["lost === undefined) requireStep(session, 'consent')", "lost !== null) requireStep(session, 'consent')"],
  ]),
  ...mutantsOf('src/consent/record-consent.ts', CONSENT, [[' where ${IS_NEW_CHOICE}', '']]),
  ...mutantsOf('src/database/watch-pool.ts', POOL, [
    ['if (code === READ_ONLY) state.renew();', 'if (code === READ_ONLY) return;'],
    ['if (idle.has(client)) client.emit', 'if (!idle.has(client)) client.emit'],
    ['if (unfit.has(client)) void client.end()', 'if (!unfit.has(client)) void client.end()'],
    ['else if (STALE_STATEMENT.test(message)) unfit.add(client);', ''],
    ['if (state.lacksStorage) throw error;', ''],
    ['state.lacksStorage = false;\n  await', 'await'],
    ["client.once('end', onEnd);", ''],
    ['if (!isFull(error) || isLate)', 'if (!isFull(error))'],
    ['if (!isFull(error) || isLate)', 'if (error !== null)'],
  ]),
  ...mutantsOf('src/database/check-writable.ts', POOL, [
    ['renewConnections(pool);', ''],
    ["current_setting('transaction_read_only')::boolean", 'false'],
  ]),
  ...mutantsOf('src/database/clock.ts', CLOCK, [
    ['row.time - (askedAt + takenAt) / 2', 'row.time - takenAt'],
    ['if (held === undefined || replaces(sample, held)) held = sample;', 'held = sample;'],
    ['> sample.error + heldError', '> Number.POSITIVE_INFINITY'],
    ['(sample.takenAt - held.takenAt) * DRIFT', '0'],
  ]),
  ...mutantsOf('src/database/database-url.ts', URLS, [
    ['{ ...fromEnvironment(env), ...service, ...given }', '{ ...given, ...service, ...fromEnvironment(env) }'],
    ['if (!PARAMETERS.has(name)) throw', "if (name === '') throw"],
    ["if (mode === 'allow' || mode === 'prefer')", "if (mode === 'allow')"],
    ['return { ...options, host };', 'return options;'],
    ["sslMode ?? 'disable'", "'disable'"],
    [
      "?? (ssl === undefined ? undefined : ssl === 'true' || ssl === '1' ? 'verify-full' : 'disable')",
      "?? (ssl === undefined ? undefined : 'require')",
    ],
  ]),
  ...mutantsOf('src/database/in-batches.ts', BATCHES, [
    ['!limit?.aborted && (await step()) === size', '(await step()) === size'],
    ['(await step()) === size', '(await step()) > size'],
  ]),
  ...mutantsOf(
    'adapters/job-health.ts',
    ['test/adapters/jobs.test.ts'],
    [
      ['Math.min(age ?? Number.POSITIVE_INFINITY, servingSeconds)', 'age ?? 0'],
      ['Math.min(age ?? Number.POSITIVE_INFINITY, servingSeconds)', 'age ?? Number.POSITIVE_INFINITY'],
    ],
  ),
  ...mutantsOf(
    'adapters/http/shared-limiter.ts',
    ['test/adapters/http/shared-limiter.test.ts'],
    [['if (row.points > own) await limiter.penalty(key, row.points - own);', '']],
  ),
  ...mutantsOf('adapters/workers/supervise.ts', WORKERS, [['if (old) await end(old, config.shutdownTimeout);', '']]),
  ...mutantsOf('adapters/workers/fork-worker.ts', WORKERS, [
    ["if (code !== 0 && last !== undefined && 'close' in last) last.close();", ''],
  ]),
  ...mutantsOf(
    'adapters/stop-signals.ts',
    ['test/adapters/main.test.ts'],
    [
      ['performance.now() - firstAt >= ONE_SIGNAL_MS', 'performance.now() - firstAt >= 0'],
      ['performance.now() - firstAt >= ONE_SIGNAL_MS', 'firstAt < 0'],
    ],
  ),
];
