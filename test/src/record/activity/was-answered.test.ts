import { expect, it } from 'vitest';
import { newRequestId } from '../../../../adapters/http/request-id.ts';
import { wasAnswered } from '../../../../src/record/activity/was-answered.ts';
import { testApp } from '../../../support/test-app.ts';

/** D-226: what became of a call, by the request log. */
// as little of it as there can be
const app = await testApp({ env: { REQUEST_LOG_SUCCESSES: '0.00001' } });
const LONG_AGO_S = 60;
const ago = (seconds: number) => new Date(app.runtime.now().getTime() - seconds * 1_000);

function record(id: string, status: number): void {
  const call = {
    operation: 'token.refresh',
    method: 'POST',
    outcome: 'ok',
    path: null,
    message: null,
    durationMs: 1,
  } as const;
  const nobody = { client: null, grant: null, fan: null, session: null };
  app.runtime.activity.record({ ...call, ...nobody, id, at: new Date(), status });
}

async function judge(id: string, at: Date): Promise<{ answered: boolean; ms: number }> {
  const from = performance.now();
  const answered = await wasAnswered(app.context(), id, at);
  return { answered, ms: performance.now() - from };
}

it('a success of this process is known at once, before its batch is due', async () => {
  const id = newRequestId();
  record(id, 200);
  const { answered, ms } = await judge(id, ago(0));
  expect(answered).toBe(true);
  expect(ms).toBeLessThan(1_500);
});

it('a call that is still under way is waited for', async () => {
  const id = newRequestId();
  setTimeout(() => record(id, 200), 500);
  expect((await judge(id, ago(0))).answered).toBe(true);
});

it.each([
  ['was refused', 503],
  ['is not in the log', undefined],
])('a call that %s was not answered; of one just now that is certain after two seconds', async (_, status) => {
  const id = newRequestId();
  if (status !== undefined) record(id, status);
  const fresh = await judge(id, ago(0));
  expect(fresh.answered).toBe(false);
  expect(fresh.ms).toBeGreaterThan(1_500);
  const old = await judge(id, ago(LONG_AGO_S));
  expect(old.answered).toBe(false);
  expect(old.ms).toBeLessThan(1_500);
});

it('a moment that is ahead of this clock is waited for no longer than one of now', async () => {
  expect((await judge(newRequestId(), ago(-LONG_AGO_S))).ms).toBeLessThan(4_000);
});
