import type { Client } from '../../entities/client.ts';
import { type CheckResult, GoLiveAttempt, GoLiveEvent, type GoLiveRun } from '../../entities/go-live-check.ts';
import type { EntityContext } from '../../platform/context.ts';
import { CHECKS, type Check, ORDINARY } from './checks.ts';
import { habitsOf } from './judge-sign-in.ts';
import type { CheckEvent, Watched } from './watched.ts';

/** The results of a run: as they were when it was finished, or as they are now. In the order of `CHECKS`. */
export async function readSheet(
  { em, now }: EntityContext,
  run: Pick<GoLiveRun, 'id' | 'sheet'>,
): Promise<CheckResult[]> {
  if (run.sheet != null) return run.sheet;
  const attempts = await em.find(GoLiveAttempt, { run: run.id }, { orderBy: { id: 'asc' }, refresh: true });
  const rows = await em.find(GoLiveEvent, { attempt: { run: run.id } }, { orderBy: { id: 'asc' } });
  return judgeRun(attempts, rows, now());
}

/** Judges each check by its last attempt. Pure. */
export function judgeRun(attempts: readonly GoLiveAttempt[], rows: readonly GoLiveEvent[], now: Date): CheckResult[] {
  const byAttempt = Map.groupBy(rows, ({ attempt }) => String(attempt.id));
  const keysRead = rows.filter(({ kind }) => kind === 'jwks').map(({ at }) => at);
  const last = new Map(attempts.map((attempt) => [attempt.check, attempt]));
  const watched = (attempt: GoLiveAttempt): Watched => ({
    events: (byAttempt.get(String(attempt.id)) ?? []) as unknown as CheckEvent[],
    endedAt: attempt.endedAt ?? null,
    doneAt: attempt.doneAt ?? null,
    now,
    habits: undefined,
    keysRead,
  });
  const ordinary = last.get(ORDINARY);
  const habits = ordinary && habitsOf(watched(ordinary));
  return CHECKS.map((check) => resultOf(check, last.get(check.name), (attempt) => ({ ...watched(attempt), habits })));
}

function resultOf(
  { name, judge }: Check,
  attempt: GoLiveAttempt | undefined,
  watched: (attempt: GoLiveAttempt) => Watched,
): CheckResult {
  if (!attempt) return { check: name, verdict: 'open', seen: 'Not started.', startedAt: null };
  return { check: name, ...judge(watched(attempt)), startedAt: attempt.startedAt.toISOString() };
}

/** What is left open when a run ends was not observed. */
export function closedSheet(results: readonly CheckResult[]): CheckResult[] {
  return results.map((result) =>
    result.verdict === 'open' || result.verdict === 'watching' ? { ...result, verdict: 'not_observed' } : result,
  );
}

/** How many checks have a verdict. */
export function countVerdict(results: readonly CheckResult[], verdict: CheckResult['verdict']): number {
  return results.filter((result) => result.verdict === verdict).length;
}

/**
 * Whether redirect URIs have changed since the run: those of the sandbox client since it started, those of the production client
 * since it was attached.
 * @param production redirect URIs that are reviewed or in force; undefined where the run is attached to no client
 */
export function isStale(
  run: Pick<GoLiveRun, 'redirectUris' | 'productionRedirectUris'>,
  sandbox: Pick<Client, 'redirectUris'>,
  production: readonly string[] | undefined,
): boolean {
  if (!sameSet(run.redirectUris, sandbox.redirectUris)) return true;
  return production !== undefined && !sameSet(run.productionRedirectUris ?? [], production);
}

function sameSet(one: readonly string[], two: readonly string[]): boolean {
  return one.length === two.length && one.every((each) => two.includes(each));
}
