import { Counter } from 'prom-client';
import type { Chain, WithChains } from '../chain/chains.ts';
import { isBadAnswer } from '../chain/gateway/bad-answer.ts';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { MODES, type Mode } from '../entities/mode.ts';
import { DomainError } from '../errors.ts';
import { idOf } from '../identifier/type-id.ts';
import { backoffAfter } from './backoff.ts';
import { storableReason } from './end-claims.ts';
import type { OpenClaim } from './open-claim.ts';

/**
 * One claim never holds up another. A claim whose blockhash, status, submission or permit makes trouble is set aside: it stays open, is
 * counted, logged the first time, shown in the console, and tried again after a growing pause.
 */
export interface Settling {
  context: Pick<Context, 'pool' | 'now' | 'requestId' | 'log'> & WithChains;
  mode: Mode;
  chain: Chain;
  /** Claims that this run leaves alone from now on. */
  aside: Set<OpenClaim>;
}

const STEPS = ['blockhash', 'status', 'submission', 'permit'] as const;
type Step = (typeof STEPS)[number];

const setAsides = new Counter({
  name: 'claims_set_aside_total',
  help: 'Attempts to settle a claim that came to nothing by its own fault, so that it was put off, by mode and step',
  labelNames: ['mode', 'step'],
});
// a series that begins with its first event hides that event from rates
for (const mode of MODES) for (const step of STEPS) setAsides.inc({ mode, step }, 0);

const markSetAside = prepared<{ attempts: number }>(
  `update claim set set_aside = $2, attempts = attempts + 1, next_attempt_at = $3::timestamptz + ${backoffAfter('attempts')}
   where id = $1 and state in ('pending', 'submitted') returning attempts`,
);

/**
 * Does one step for each claim apart from the others; those where it fails are set aside.
 * @param atOnce how many at the same time
 * @returns the results of the others
 * @throws Error of the first where none could be done because the cluster did not answer: that is no claim's fault
 */
export async function apart<T>(
  settling: Settling,
  step: Step,
  claims: readonly OpenClaim[],
  work: (claim: OpenClaim) => Promise<T>,
  atOnce = claims.length,
): Promise<Map<OpenClaim, T>> {
  const results = new Map<OpenClaim, T>();
  const failures: { claim: OpenClaim; error: unknown }[] = [];
  for (let at = 0; at < claims.length; at += atOnce) {
    const together = claims.slice(at, at + atOnce).map(async (claim) => {
      try {
        results.set(claim, await work(claim));
      } catch (error) {
        failures.push({ claim, error });
      }
    });
    await Promise.all(together);
  }
  const [first] = failures;
  if (first && results.size === 0 && failures.every(({ error }) => isUnreachable(error))) throw first.error;
  for (const { claim, error } of failures) await setAside(settling, step, claim, error);
  return results;
}

/** Whether the cluster did not answer at all. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'unavailable' && !isBadAnswer(error);
}

async function setAside(
  { context, mode, aside }: Settling,
  step: Step,
  claim: OpenClaim,
  error: unknown,
): Promise<void> {
  aside.add(claim);
  setAsides.inc({ mode, step });
  const reason = storableReason(textOf(error));
  const [marked] = await markSetAside(context.pool, [claim.id, reason, context.now()]);
  if (marked?.attempts !== 1) return;
  const { signature } = claim;
  context.log.warn(
    { claim: idOf('clm', claim.id), signature, step, reason },
    'a claim could not be settled; it is tried again after growing pauses',
  );
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error was thrown';
  return error.cause instanceof Error ? error.cause.message : error.message;
}
