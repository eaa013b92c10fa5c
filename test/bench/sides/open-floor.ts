import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FloorTask } from '../floors/task.ts';
import type { ServerSide } from './open-server.ts';
import type { Side } from './side.ts';

/** The floor beside a server: over its database, with requests as the server gets them. */
export async function openFloor({ server, stage, rpcUrl, database }: ServerSide): Promise<Side> {
  const child = fork(fileURLToPath(new URL('../floors/main.ts', import.meta.url)));
  const { tickets, tokenKey } = await stage.describeFloor();
  const { databaseUrl } = stage;
  const task: FloorTask = { databaseUrl, poolSize: server.config.databasePool, rpcUrl, tokenKey, tickets };
  child.send(task);
  const [port] = (await once(child, 'message')) as [number];
  return {
    name: 'floor',
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    database,
    async prepare(path, count) {
      return { ...(await stage.prepareForFloor(path, count)), path: `/${path}` };
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
