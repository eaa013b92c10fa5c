import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Server } from '../server.ts';
import type { Side } from '../side.ts';
import { describeFloor } from './describe-floor.ts';
import type { FloorTask } from './task.ts';

/** The floor beside a server: over its database, with requests as the server gets them. */
export async function openFloor({ config, stage, rpcUrl, database }: Server): Promise<Side> {
  const child = fork(fileURLToPath(new URL('./main.ts', import.meta.url)));
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
