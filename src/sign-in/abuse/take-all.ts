import type { Context } from '../../platform/context.ts';

/** Gives back what a `Take` took. */
export type GiveBack = () => Promise<void>;

/** Takes one thing that a code needs: a session's code, a count, a part of the budget. Throws where none is left. */
export type Take = () => Promise<GiveBack>;

/** For counts that stay even where the code is not sent. */
export const KEPT: GiveBack = async () => {};

/**
 * Runs the takes one after the other, then the work. If one of them throws, gives back everything taken so far, the newest
 * first, and rethrows.
 */
export async function takeAll<T>(
  { log }: Pick<Context, 'log'>,
  takes: readonly Take[],
  work: () => Promise<T>,
): Promise<T> {
  const taken: GiveBack[] = [];
  try {
    for (const take of takes) taken.push(await take());
    return await work();
  } catch (error) {
    for (const giveBack of taken.reverse()) {
      // logged only: the caller needs the first error, and the other counts must be given back too
      await giveBack().catch((err: unknown) => log.error({ err }, 'a count was not given back'));
    }
    throw error;
  }
}
