import type { Context } from '../context.ts';

/** Gives back what a `Take` took. */
export type GiveBack = () => Promise<void>;

/**
 * Takes one thing that a code needs: a place in a session, a count, a part of the budget. It throws where there is none
 * left, and has then taken nothing.
 */
export type Take = () => Promise<GiveBack>;

/** For what is counted whatever becomes of the code. */
export const KEPT: GiveBack = async () => {};

/**
 * Takes one thing after the other, then does the work that needs them. If one of them is refused, or the work fails,
 * everything taken so far is given back, the newest first. This is the only place that decides it, so no refusal can
 * leave a count behind.
 * @throws what the refused take or the work threw
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
      // the caller must learn why there is no code, and the other counts must be given back too
      await giveBack().catch((err: unknown) => log.error({ err }, 'a count was not given back'));
    }
    throw error;
  }
}
