import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import { type ChildServer, type ChildServerOptions, startChildServer } from '../child-server.ts';
import { parentOf } from '../cpu-meter.ts';
import { type StartedStage, startStage } from '../stage/start-stage.ts';
import type { Side } from './side.ts';
import { startLocalnet } from './start-localnet.ts';

/** The real server, by default over an embedded PostgreSQL of its own and with the local network in a process of its own. */
export interface ServerSide extends Side {
  kit: StarterKit;
  server: ChildServer;
  stage: StartedStage;
  rpcUrl: string;
}

export interface ServerOptions extends Pick<ChildServerOptions, 'env' | 'nodeArguments'> {
  /** Apart from the server, so that its CPU time and memory are not the server's, or within it. */
  localnet?: 'apart' | 'embedded';
}

/** Starts the server of a tree. */
export async function openServer(
  name: string,
  tree: string,
  { env = {}, nodeArguments = [], localnet: where = 'apart' }: ServerOptions = {},
): Promise<ServerSide> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fan-api-bench-'));
  // as root, PostgreSQL runs as another user, who must be able to come in
  await chmod(dataDir, 0o755);
  // the last first
  const closers: (() => Promise<void>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  const stop = async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    const localnet = where === 'apart' ? await startLocalnet(tree, join(dataDir, 'localnet')) : undefined;
    if (localnet) closers.push(localnet.stop);
    const cluster = localnet && { SANDBOX_RPC_URL: localnet.url, SANDBOX_PUBLIC_RPC_URL: localnet.url };
    const server = await startChildServer(dataDir, { tree, env: { ...cluster, ...env }, nodeArguments });
    closers.push(server.stop);
    const kit = JSON.parse(await readFile(join(dataDir, 'starter-kit.json'), 'utf8')) as StarterKit;
    const stage = await startStage(tree, server.env, kit);
    closers.push(stage.stop);
    const { pid, config } = server;
    const origin = new URL(config.authUrl).origin;
    const rpcUrl = kit.rpc_url ?? '';
    const database = await parentOf(stage.backend);
    return { name, origin, pid, database, server, stage, kit, rpcUrl, prepare: stage.prepare, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
