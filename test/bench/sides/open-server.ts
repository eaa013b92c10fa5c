import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import { type ChildServer, startChildServer } from '../child-server.ts';
import { parentOf } from '../cpu-meter.ts';
import { type StartedStage, startStage } from '../stage/start-stage.ts';
import type { Side } from './side.ts';
import { startLocalnet } from './start-localnet.ts';

/** The real server over an embedded PostgreSQL of its own, with the local network in a process of its own. */
export interface ServerSide extends Side {
  server: ChildServer;
  stage: StartedStage;
  rpcUrl: string;
}

/**
 * Starts the server of a tree.
 * @param env more environment variables
 * @param nodeArguments more arguments for Node
 */
export async function openServer(
  name: string,
  tree: string,
  { env = {}, nodeArguments = [] }: { env?: Record<string, string>; nodeArguments?: string[] } = {},
): Promise<ServerSide> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fan-api-bench-'));
  // as root, PostgreSQL runs as another user, who must be able to come in
  await chmod(dataDir, 0o755);
  const localnet = await startLocalnet(tree, join(dataDir, 'localnet'));
  const options = { tree, env: { SANDBOX_RPC_URL: localnet.url, ...env }, nodeArguments };
  const server = await startChildServer(dataDir, options);
  const kit = JSON.parse(await readFile(join(dataDir, 'starter-kit.json'), 'utf8')) as StarterKit;
  const stage = await startStage(tree, server.env, kit);
  return {
    name,
    origin: new URL(server.config.authUrl).origin,
    pid: server.pid,
    database: await parentOf(stage.backend),
    server,
    stage,
    rpcUrl: localnet.url,
    prepare: (path, count) => stage.prepare(path, count),
    async stop() {
      await stage.stop();
      await server.stop();
      await localnet.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
