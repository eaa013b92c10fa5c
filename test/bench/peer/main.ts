/**
 * The peer: oidc-provider over PostgreSQL in a process of its own. It is forked with IPC; the first message names its database, and each
 * later one asks for requests to a path.
 *
 * @module
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { PathName } from '../paths/all.ts';
import { ACCOUNTS, CLIENT, CLIENT_ID, createProvider } from './create-provider.ts';
import { postgresAdapter, TABLE } from './postgres-adapter.ts';
import { PREPARE } from './prepare.ts';

export interface PeerTask {
  databaseUrl: string;
  /** Connections, as many as our server's. */
  poolSize: number;
}

process.once('message', async ({ databaseUrl, poolSize }: PeerTask) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  await pool.query(`${TABLE}; ${ACCOUNTS}`);
  await new (postgresAdapter(pool))('Client').upsert(CLIENT_ID, CLIENT);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = createProvider(origin, pool);
  server.on('request', provider.callback());
  process.on('message', async ({ path, count }: { path: PathName; count: number }) => {
    process.send?.((await PREPARE[path]?.(provider, count)) ?? null);
  });
  process.send?.(origin);
});
process.once('disconnect', () => process.exit(0));
