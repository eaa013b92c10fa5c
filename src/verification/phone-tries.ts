import type { Context } from '../context.ts';
import type { Mode } from '../entities/mode.ts';
import { PhoneTries } from '../entities/phone-tries.ts';

/**
 * Wrong codes per number within one code's lifetime, over all sessions and over login and portal, so that opening sessions
 * buys no guesses. A sandbox code guards test data and is shared by a partner's test runs, which try wrong codes on purpose.
 */
export const TRIES_PER_NUMBER: Record<Mode, number> = { production: 5, sandbox: 1000 };

/** The right code was given: the next one has all tries again. */
export async function forgetPhoneTries({ em }: Pick<Context, 'em'>, mode: Mode, phone: string): Promise<void> {
  await em.nativeDelete(PhoneTries, { mode, phone });
}
