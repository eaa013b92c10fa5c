import { expect } from 'vitest';
import type { ChainApp, TestTicket } from './chain-app.ts';
import { waitingForALock } from './waiting-for-a-lock.ts';

/**
 * Makes a call while another transaction holds a ticket's permit, as the taking in of onchain states does, and does something
 * else once the call waits for it.
 * @returns what the call answers in the end
 */
export async function whileWaiting<Answer>(
  app: ChainApp,
  ticket: Pick<TestTicket, 'permit'>,
  call: () => Promise<Answer>,
  meanwhile: () => Promise<unknown>,
): Promise<Answer> {
  const { answer } = await app.context().em.transactional(async (holder) => {
    await holder.execute('select 1 from permit where tix_permit_id = ? for update', [ticket.permit]);
    const answer = call();
    await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
    await meanwhile();
    return { answer };
  });
  return answer;
}
