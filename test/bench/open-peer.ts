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
  const task: PeerTask = { databaseUrl: await createDatabase(stage.databaseUrl), poolSize: config.databasePool };
  const { ask, ...forked } = await forkServer('./peer.ts', task);
  const prepare: Side['prepare'] = async (path, count) => (await ask<Load | null>({ path, count })) ?? undefined;
  return { ...forked, name: 'peer', database, prepare };
}

/** Forks a server of the bench, which answers its task with its origin, and ends when it is disconnected. */
export async function forkServer(file: string, task: object) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { env: { PATH: process.env.PATH } });
  async function ask<Answer>(question: object): Promise<Answer> {
    child.send(question);
    const [answer] = await once(child, 'message');
    return answer as Answer;
  }
  const origin = await ask<string>(task);
  return {
    origin,
    pid: child.pid ?? 0,
    ask,
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
