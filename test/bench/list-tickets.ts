import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import type { WithKeys } from '../../src/keys/key-ring.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import type { StarterKit } from '../../src/sandbox/starter-kit.ts';
import { fetchTickets } from '../../src/ticket/fetch-tickets.ts';
import { verifyAccessToken } from '../../src/token/verify-access-token.ts';
import { type Driven, drive } from './drive.ts';
import type { FloorTask } from './floor-tickets.ts';
import { issueCodes } from './issue-codes.ts';

const CONNECTIONS = 10;
const SECONDS = 5;

/** An access token for the measured requests, by a real exchange. */
export async function obtainAccessToken(
  context: Pick<ServiceContext, 'em' | 'now' | 'config'>,
  kit: StarterKit,
): Promise<string> {
  const [code] = await issueCodes(context, kit, 1);
  const answer = await fetch(`${context.config.authUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams(code?.form),
  });
  const body = (await answer.json()) as { access_token?: string };
  if (body.access_token === undefined) throw new Error(`no token: ${answer.status} ${JSON.stringify(body)}`);
  return body.access_token;
}

/** `GET /tickets` of one fan, 10 connections. */
export function listTickets(apiUrl: string, token: string): Promise<Driven> {
  return drive({
    url: `${apiUrl}/tickets`,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { authorization: `Bearer ${token}` },
  });
}

/** The floor server, which runs the statement that `fetchTickets` runs for this token. */
export async function startFloor(
  context: Pick<ServiceContext, 'now' | 'config'> & WithKeys,
  databaseUrl: string,
  token: string,
): Promise<{ list(): Promise<Driven>; stop(): void }> {
  const child = fork(fileURLToPath(new URL('floor-tickets.ts', import.meta.url)));
  const payload = await verifyAccessToken(context, token);
  const task: FloorTask = {
    databaseUrl,
    poolSize: context.config.databasePool,
    userId: payload.sub,
    statement: await statementOf((pool) => fetchTickets({ pool, now: context.now }, payload, {})),
  };
  child.send(task);
  const [port] = (await once(child, 'message')) as [number];
  return {
    list: () => drive({ url: `http://127.0.0.1:${port}/`, connections: CONNECTIONS, duration: SECONDS }),
    stop: () => child.disconnect(),
  };
}

/** Runs a query against a pool that only notes the statement. */
async function statementOf(query: (pool: Pool) => Promise<unknown>): Promise<FloorTask['statement']> {
  let noted: FloorTask['statement'] | undefined;
  const pool = {
    async query(statement: FloorTask['statement']) {
      noted = statement;
      return { rows: [] };
    },
  };
  // without rows the grant is as good as revoked, which is no concern here
  await query(pool as unknown as Pool).catch(() => undefined);
  if (!noted) throw new Error('no statement was run');
  return noted;
}
