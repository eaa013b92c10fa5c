import type { AnsweredCall } from '../calls/send.ts';
import type { PlaygroundConfig } from '../config.ts';
import type { Spoil } from '../sign-in/attempt.ts';

/** What an experiment works with. */
export interface Bench {
  config: PlaygroundConfig;
  /** `sub` of the fan whose tokens it uses. */
  sub: string;
  /** Shows the progress. */
  progress(text: string): void;
  signal: AbortSignal;
}

/** A mistake that a partner may make, made on purpose. */
interface Experiment {
  id: string;
  title: string;
  detail: string;
  /** What the service answers. */
  expects: { status: number | null; code: string };
  /** What the mistake costs, such as the fan's tokens. */
  warning?: string;
}

/** Made with one request, or a few. */
export interface CallExperiment extends Experiment {
  run(bench: Bench): Promise<AnsweredCall>;
}

/** Made with a sign-in of its own: the browser leaves the page, and returns with the result. */
export interface SignInExperiment extends Experiment {
  id: Spoil;
  begin(config: PlaygroundConfig): Promise<void>;
}

export function isSignInExperiment(experiment: CallExperiment | SignInExperiment): experiment is SignInExperiment {
  return 'begin' in experiment;
}

/** Waits until a time, and says how long it takes. @throws Error where it was stopped */
export async function waitUntil(
  until: number,
  { progress, signal }: Pick<Bench, 'progress' | 'signal'>,
): Promise<void> {
  while (Date.now() < until) {
    if (signal.aborted) throw new Error('Stopped.');
    progress(`${Math.ceil((until - Date.now()) / 1_000)} s to wait`);
    await new Promise((resolve) => setTimeout(resolve, Math.min(500, until - Date.now())));
  }
  progress('');
}
