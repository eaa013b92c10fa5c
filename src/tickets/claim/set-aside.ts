import { Counter } from 'prom-client';
import type { Chain, WithChains } from '../../chain/chains.ts';
import { isUnreachable } from '../../chain/gateway/ask.ts';
import type { Context } from '../../platform/context.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { describeError } from '../../platform/describe-error.ts';
import { idOf } from '../../platform/identifier/type-id.ts';
import { MODES, type Mode } from '../../platform/mode.ts';
import { markSetAside } from './statements.ts';
import type { LandedClaim, StoredClaim } from './stored-claim.ts';

/** One run that settles claims of a mode. */
export interface SettleRun {
  context: Pick<Context, 'pool' | 'now' | 'requestId' | 'log'> & WithChains;
  mode: Mode;
  chain: Chain;
  /** Claims that this run has set aside and does not touch again. */
  aside: Set<StoredClaim>;
}

const STEPS = ['blockhash', 'status', 'submission', 'permit'] as const;
type Step = (typeof STEPS)[number];

/** Characters kept of a reason, which a node may give at any length. */
export const REASON_LENGTH = 500;

const setAsides = new Counter({
  name: 'claims_set_aside_total',
  help: 'Failed attempts to settle a claim, after which it was set aside, by mode and step',
  labelNames: ['mode', 'step'],
});
// every series starts at 0: a rate would miss the event with which a series begins
for (const mode of MODES) for (const step of STEPS) setAsides.inc({ mode, step }, 0);

/**
 * Runs one step for each claim. A claim whose step fails is set aside: it stays open, is counted, logged the first time, shown in
 * the console, and retried after a growing pause. So one claim never blocks another.
 * @param atOnce how many run concurrently
 * @returns the results of the steps that succeeded
 * @throws Error, the first one, where every step failed because the cluster did not answer: that is no claim's fault
 */
export async function attemptEach<Item extends StoredClaim | LandedClaim, T>(
  run: SettleRun,
  step: Step,
  items: readonly Item[],
  work: (item: Item) => Promise<T>,
  atOnce = items.length,
): Promise<Map<Item, T>> {
  const results = new Map<Item, T>();
  const failures: { item: Item; error: unknown }[] = [];
  for (let at = 0; at < items.length; at += atOnce) {
    const batch = items.slice(at, at + atOnce).map(async (item) => {
      try {
        results.set(item, await work(item));
      } catch (error) {
        failures.push({ item, error });
      }
    });
    await Promise.all(batch);
  }
  const [first] = failures;
  if (first && results.size === 0 && failures.every(({ error }) => isUnreachable(error))) throw first.error;
  for (const { item, error } of failures) await setAside(run, step, 'claim' in item ? item.claim : item, error);
  return results;
}

/** @param error of the step that failed */
export async function setAside(
  { context, mode, aside }: SettleRun,
  step: Step,
  claim: StoredClaim,
  error: unknown,
): Promise<void> {
  aside.add(claim);
  setAsides.inc({ mode, step });
  const reason = storableText(describeError(error), REASON_LENGTH);
  const [marked] = await markSetAside(context.pool, [claim.id, reason, context.now()]);
  if (marked?.attempts !== 1) return;
  context.log.warn(
    { claim: idOf('clm', claim.id), signature: claim.signature, step, reason },
    'a claim could not be settled; it is tried again after growing pauses',
  );
}
