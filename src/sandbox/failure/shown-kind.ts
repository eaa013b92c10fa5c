import type { Failure } from '../../entities/simulation.ts';
import type { Operation } from '../../record/activity/operation-texts.ts';
import { labelOf } from '../../record/activity/operations.ts';
import { failureKind } from './kinds.ts';

/** A failure as people choose and arm it. */
export interface ShownFailureKind {
  failure: Failure;
  /** A few words, for lists. */
  title: string;
  /** A sentence: what happens. */
  says: string;
  /** Whether it holds for every call until it ends, and not for a number of calls. */
  isState: boolean;
  /** The calls that can meet it, each as `armFailure` and as the API description names it. */
  calls: { operation: Operation; label: string }[];
  /** What `seconds` means, and its usual and greatest value; null where it means nothing. */
  seconds: { says: string; usual: number; most: number } | null;
}

/** What people are told of a failure before they arm it. */
export function shownKind(failure: Failure): ShownFailureKind {
  const { title, says, lasts, operations, seconds = null } = failureKind(failure);
  return {
    failure,
    title,
    says,
    isState: lasts === 'state',
    calls: operations.map((operation) => ({ operation, label: labelOf(operation) })),
    seconds,
  };
}
