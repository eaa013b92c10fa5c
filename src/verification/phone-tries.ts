import { raw } from '@mikro-orm/core';
import type { Context } from '../context.ts';
import type { Mode } from '../entities/mode.ts';
import { PhoneTries } from '../entities/phone-tries.ts';
import { after, PHONE_CODE_LIFETIME } from '../oauth/lifetimes.ts';

/**
 * Wrong codes per number within one code's lifetime, over all sessions and over login and portal, so that opening sessions
 * buys no guesses. A sandbox code guards test data and is shared by a partner's test runs, which try wrong codes on purpose.
 */
const TRIES_PER_NUMBER: Record<Mode, number> = { production: 5, sandbox: 1000 };

/** Counts a try against a number, by one statement. @returns whether there was one left */
export async function takePhoneTry(
  { em, now }: Pick<Context, 'em' | 'now'>,
  mode: Mode,
  phone: string,
): Promise<boolean> {
  const counted = await em.execute<unknown[]>(
    `insert into phone_tries (mode, phone, tries, window_ends_at) values (?, ?, 1, ?)
     on conflict (mode, phone) do update set
       tries = case when phone_tries.window_ends_at <= ? then 1 else phone_tries.tries + 1 end,
       window_ends_at = case when phone_tries.window_ends_at <= ? then excluded.window_ends_at else phone_tries.window_ends_at end
     where phone_tries.window_ends_at <= ? or phone_tries.tries < ?
     returning tries`,
    [mode, phone, after(now(), PHONE_CODE_LIFETIME), now(), now(), now(), TRIES_PER_NUMBER[mode]],
  );
  return counted.length > 0;
}

/** A code that nobody looked at was no try. */
export async function givePhoneTryBack({ em }: Pick<Context, 'em'>, mode: Mode, phone: string): Promise<void> {
  await em.nativeUpdate(PhoneTries, { mode, phone, tries: { $gt: 0 } }, { tries: raw('tries - 1') });
}

/** The right code was given: the next one has all tries again. */
export async function forgetPhoneTries({ em }: Pick<Context, 'em'>, mode: Mode, phone: string): Promise<void> {
  await em.nativeDelete(PhoneTries, { mode, phone });
}
