import { useState } from 'preact/hooks';
import { type Failure, readFailure } from './failure.ts';

/** Turns a failure into the message beside the step, or into nothing when the whole page changes because of it. */
export type Explain = (failure: Failure) => string | undefined;

/** Runs the work of a step, one piece at a time, and shows its failure beside it. Nothing here throws. */
export function useWork(explain: Explain) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  /** Does nothing while something else runs. */
  async function run(work: () => Promise<unknown>): Promise<void> {
    if (busy) return;
    setProblem(undefined);
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setProblem(explain(readFailure(error)));
    } finally {
      setBusy(false);
    }
  }
  return { busy, problem, setProblem, run };
}
