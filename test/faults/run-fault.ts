import { setTimeout as sleep } from 'node:timers/promises';
import { startTraffic } from './drive/traffic.ts';
import type { Fault, Outcome } from './fault.ts';
import { judgeCalls, type Moments, whyNotWhole } from './judge/judge-calls.ts';
import { judgeClaims } from './judge/judge-claims.ts';
import { judgeAudit, judgeGrants, judgeTokens } from './judge/judge-grants.ts';
import { openStand } from './stand/stand.ts';

const BEFORE_MS = 4_000;
/** How long nothing must fail. */
const QUIET_MS = 5_000;
const WHOLE_WITHIN_MS = 20_000;
const SETTLED_AFTER_KILLS_MS = 360_000;

/**
 * The answer to an exchange is given once (D-226). Where its process is killed before that, or its database stays away for longer than
 * a call waits to learn its outcome, the fan begins again.
 */
const SPENT = 'exchange: 400 code has been used already (repeated)';

/** One row: traffic on real parts, the fault, its end, and what is left of it. */
export async function runFault(fault: Fault): Promise<Outcome> {
  const stand = await openStand(fault.name, fault.stand ?? {});
  try {
    const traffic = await startTraffic(stand, { abandonEvery: fault.abandonEvery ?? 0 });
    await sleep(BEFORE_MS);
    const moments: Moments = { injected: performance.now(), healed: 0 };
    await fault.inject?.(stand, traffic);
    const { pulse } = fault;
    for (const end = performance.now() + fault.holdMs; performance.now() < end; ) {
      await pulse?.run(stand, traffic);
      await sleep(Math.min(pulse?.everyMs ?? fault.holdMs, Math.max(0, end - performance.now())));
    }
    await fault.heal?.(stand, traffic);
    moments.healed = performance.now();
    const limit = moments.healed + (fault.wholeWithinMs ?? WHOLE_WITHIN_MS) + QUIET_MS;
    const whatFails = () => whyNotWhole(fault, traffic.ledger, moments.healed, QUIET_MS);
    while (whatFails() !== undefined && performance.now() < limit) await sleep(100);
    const failing = whatFails();
    await traffic.stop();

    // after a failover the address leads to another server
    const { current: database } = stand;
    const settledWithin = fault.abandonEvery === undefined ? undefined : SETTLED_AFTER_KILLS_MS;
    const { lostSignIns } = traffic.ledger;
    const mayBeSpent = fault.unanswered || fault.ready === 'no';
    const lost = mayBeSpent ? lostSignIns.filter((told) => told !== SPENT) : lostSignIns;
    const { claims, problems } = await judgeClaims(traffic.ledger, stand, database, settledWithin);
    const seen = judgeCalls(fault, traffic.ledger, moments, failing);
    return {
      ...seen,
      name: fault.name,
      judged: { grants: traffic.ledger.sessions.length, claims, calls: traffic.ledger.calls.length },
      notes: [...stand.notes, ...refusalNotes(traffic.ledger.refused)],
      problems: [
        ...seen.problems,
        ...problems,
        ...(await judgeGrants({ ...traffic.ledger, lostSignIns: lost }, database)),
        ...(await judgeTokens(traffic, stand.services)),
        ...(await judgeAudit(database)),
        ...stand.problems,
      ],
    };
  } finally {
    await stand.close();
  }
}

/** Final answers other than 200 to listings and claims; the judge compares their effect. */
function refusalNotes(refused: string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of refused) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, times]) => `${times} × ${text}`);
}
