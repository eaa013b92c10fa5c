import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Load } from './load.ts';
import type { Server, Side } from './server.ts';

export interface PeerTask {
  databaseUrl: string;
  /** Connections, as many as our server's. */
  poolSize: number;
}

const DATABASE = 'peer';

/** The peer beside a server: in a database of its own, on the same PostgreSQL. */
export async function openPeer({ config, stage, database }: Server): Promise<Side> {
  const child = fork(fileURLToPath(new URL('./peer.ts', import.meta.url)), { env: { PATH: process.env.PATH } });
  const task: PeerTask = { databaseUrl: await createDatabase(stage.databaseUrl), poolSize: config.databasePool };
  child.send(task);
  const [origin] = (await once(child, 'message')) as [string];
  return {
    name: 'peer',
    origin,
    pid: child.pid ?? 0,
    database,
    async prepare(path, count) {
      child.send({ path, count });
      const [load] = (await once(child, 'message')) as [Load | null];
      return load ?? undefined;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** @returns its URL */
async function createDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${DATABASE}`);
  await client.end();
  const created = new URL(url);
  created.pathname = `/${DATABASE}`;
  return created.href;
}
