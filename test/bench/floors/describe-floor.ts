import type { Pool } from 'pg';
import { verifyAccessToken } from '../../../src/oauth/token/verify-access-token.ts';
import { fetchTickets } from '../../../src/tickets/ticket/fetch-tickets.ts';
import { ticketsToken } from '../paths/tickets.ts';
import type { Stage } from '../stage/stage.ts';
import type { FloorTask } from './task.ts';

/** The part of the floor's task that the server's own code says. */
export type FloorDescription = Pick<FloorTask, 'tokenKey' | 'tickets'>;

export async function describeFloor(stage: Stage): Promise<FloorDescription> {
  const context = stage.context();
  const payload = await verifyAccessToken(context, await ticketsToken(stage));
  const [tokenKey] = (await context.keys.published()).keys;
  if (tokenKey === undefined) throw new Error('the server has no signing key');
  const statement = await statementOf((pool) => fetchTickets({ ...context, pool }, payload, {}));
  return { tokenKey, tickets: { userId: payload.sub, statement } };
}

/** Runs a query against a pool that only notes the statement. */
async function statementOf(query: (pool: Pool) => Promise<unknown>): Promise<FloorTask['tickets']['statement']> {
  let noted: FloorTask['tickets']['statement'] | undefined;
  const pool = {
    async query(statement: FloorTask['tickets']['statement']) {
      noted ??= statement;
      return { rows: [] };
    },
  };
  // without rows the grant is as good as revoked, which is no concern here
  await query(pool as unknown as Pool).catch(() => undefined);
  if (!noted) throw new Error('no statement was run');
  const { name, text, values } = noted;
  return { name, text, values };
}
