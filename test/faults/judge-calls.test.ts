import { describe, expect, it } from 'vitest';
import { type Call, emptyLedger, OPERATIONS } from './drive/ledger.ts';
import type { Fault } from './fault.ts';
import { judgeCalls, whyNotWhole } from './judge/judge-calls.ts';

const MOMENTS = { injected: 1_000, healed: 2_000 };
const FAULT: Fault = {
  name: 'a fault of the node',
  hits: ['claim'],
  ready: 'yes',
  holdMs: 0,
};

function call(changes: Partial<Call>): Call {
  return { operation: 'claim', at: 1_500, ms: 10, status: 200, saysWhen: false, said: 'told', port: 1, ...changes };
}

function problemsOf(changes: Partial<Call>, fault: Partial<Fault> = {}): string[] {
  const ledger = { ...emptyLedger(), calls: [call(changes)] };
  return judgeCalls({ ...FAULT, ...fault }, ledger, MOMENTS, undefined).problems;
}

describe('the judge of calls', () => {
  it('lets a 503 of what the fault hits pass, if it says when to come back', () => {
    expect(problemsOf({ status: 503, saysWhen: true })).toEqual([]);
  });

  it.each<[problem: string, changes: Partial<Call>, fault?: Partial<Fault>]>([
    ['1 × answered with a server fault', { status: 500 }],
    ['1 × answered with a server fault', { status: 502 }],
    ['1 × 503 that does not say when to come back', { status: 503 }],
    ['1 × no answer', { status: undefined }],
    ['1 × a call that the fault does not concern failed', { operation: 'refresh', status: 503, saysWhen: true }],
    ['1 × the process does not say that it is alive', { operation: 'healthz', status: undefined }],
    ['1 × /readyz said no', { operation: 'readyz', status: 503 }],
    ['/readyz never said no', { operation: 'readyz' }, { ready: 'no' }],
  ])('finds: %s', (problem, changes, fault) => {
    expect(problemsOf(changes, fault).join()).toContain(problem);
  });

  it('calls a service whole once each operation has succeeded and nothing has failed for a while', () => {
    const now = performance.now();
    const healed = now - 10_000;
    const good = [...OPERATIONS, 'readyz' as const].map((operation) => call({ operation, at: healed + 1 }));
    const judged = (calls: Call[]) => whyNotWhole(FAULT, { ...emptyLedger(), calls }, healed, 5_000);
    expect(judged(good)).toBeUndefined();
    expect(judged(good.slice(1))).toBe(`no success of ${OPERATIONS[0]}`);
    expect(judged([...good, call({ at: now - 1_000, status: 503 })])).toBe('claim 503 told');
    expect(judged([...good, call({ at: now - 8_000, status: 503 })])).toBeUndefined();
  });
});
