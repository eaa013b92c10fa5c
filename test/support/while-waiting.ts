import { expect } from 'vitest';
import { type ChainApp, rows, type TestTicket } from './chain-app.ts';

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
  const waiting = async () => {
    const [row] = await rows<{ count: number }>(
      app,
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.count;
  };
  const { answer } = await app.context().em.transactional(async (holder) => {
    await holder.execute('select 1 from permit where tix_permit_id = ? for update', [ticket.permit]);
    const answer = call();
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
    await meanwhile();
    return { answer };
  });
  return answer;
}
