import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { JWK } from 'jose';
import type { Pool } from 'pg';
import { verifyAccessToken } from '../../src/oauth/token/verify-access-token.ts';
import { fetchTickets } from '../../src/tickets/ticket/fetch-tickets.ts';
import { ticketsToken } from './paths.ts';
import type { Server, Side } from './server.ts';
import type { Stage } from './stage.ts';

/** What the floor's process needs to know. */
export interface FloorTask {
  databaseUrl: string;
  /** Connections, as many as the server's. */
  poolSize: number;
  rpcUrl: string;
  /** The server's key that signs access tokens. */
  tokenKey: JWK;
  /** The statement of `GET /tickets` for the fan whose tickets are listed, and whose they are. */
  tickets: { userId: string; statement: { name: string; text: string; values: unknown[] } };
}

/** The floor beside a server: over its database, with requests as the server gets them. */
export async function openFloor({ config, stage, rpcUrl, database }: Server): Promise<Side> {
  const child = fork(fileURLToPath(new URL('./floor.ts', import.meta.url)));
  const { tickets, tokenKey } = await describeFloor(stage);
  const { databaseUrl } = stage;
  const task: FloorTask = { databaseUrl, poolSize: config.databasePool, rpcUrl, tokenKey, tickets };
  child.send(task);
  const [port] = (await once(child, 'message')) as [number];
  return {
    name: 'floor',
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    database,
    async prepare(path, count) {
      return path === 'claims' ? undefined : { ...(await stage.prepare(path, count)), path: `/${path}` };
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** The part of the task that the server's own code says. */
async function describeFloor(stage: Stage): Promise<Pick<FloorTask, 'tokenKey' | 'tickets'>> {
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
