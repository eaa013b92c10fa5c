import type { Registration } from '../use-lint.ts';

/** What every step of the wizard works on. */
export interface StepProps {
  registration: Registration;
  change(changes: Partial<Registration>): void;
  /** Whether going on was tried: what is missing is told only then, what is wrong at once. */
  tried: boolean;
}
