import { Failure } from './failure.ts';
import { askFreshSignIn } from './standing.ts';

/** Runs a step; where the service wants a fresh sign-in first, asks for it and then runs the step again. */
export async function withFreshSignIn<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const isRefused = error instanceof Failure && error.code === 'fresh_sign_in_required';
    if (!isRefused || !(await askFreshSignIn())) throw error;
    return run();
  }
}
