/**
 * The local test network: a real Solana VM (LiteSVM) behind the JSON-RPC and WebSocket endpoint of a cluster, so that the
 * service, a partner's `Connection` and Anchor speak to it as they do to devnet. It is the default where no RPC URL is
 * configured. The chain lives in a worker thread (`worker.ts`) and in the data folder (`store/`).
 *
 * What it does not have: vote, stake and blocks (every slot has one block, final at once), durable nonces, and parsers for
 * the accounts of other programs.
 */
import { join } from 'node:path';
import { type ChainThread, type LocalnetLogger, startChainThread } from './chain-thread.ts';
import { lockFolder } from './folder-lock.ts';
import { createHttpEndpoint } from './http-endpoint.ts';
import { createUpgradeOnlyServer, listenOnPair } from './port-pair.ts';
import { createSocketEndpoint } from './socket-endpoint.ts';
import type { GenesisProgram } from './vm.ts';

/** Milliseconds per slot on a cluster. */
const SLOT_DURATION = 400;

export interface LocalnetOptions {
  /** JSON-RPC and WebSocket; the port after it takes WebSocket too. 0 finds a free pair. */
  port: number;
  host?: string;
  /** The chain is kept in `localnet/` under it. */
  dataDir: string;
  /** Programs that are there from the start. Their code is always the one given here, never one from the folder. */
  programs: GenesisProgram[];
  logger?: LocalnetLogger;
  /** Milliseconds per slot of a new chain; an old one keeps its own. */
  slotDuration?: number;
}

export interface Localnet {
  /** Of the JSON-RPC endpoint, for a `Connection`. */
  url: string;
  port: number;
  /** Answers what was asked, takes a snapshot, and ends. Safe to call twice. */
  stop(): Promise<void>;
}

/** @throws LocalnetError when the port is taken or another process has the folder */
export async function startLocalnet(options: LocalnetOptions): Promise<Localnet> {
  const { port, host = '127.0.0.1', dataDir, programs, logger = console, slotDuration = SLOT_DURATION } = options;
  const folder = join(dataDir, 'localnet');
  const unlock = lockFolder(folder);
  let chain: ChainThread | undefined;
  try {
    const sockets = createSocketEndpoint(() => chain as ChainThread);
    chain = await startChainThread({ folder, programs, slotDuration }, logger, sockets.send);
    const server = createHttpEndpoint(chain, logger);
    const socketServer = createUpgradeOnlyServer();
    sockets.attach(server);
    sockets.attach(socketServer);
    const bound = await listenOnPair(server, socketServer, port, host);
    const stop = once(async () => {
      server.close();
      socketServer.close();
      sockets.close();
      await chain?.stop();
      server.closeAllConnections();
      unlock();
    });
    return { url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound, stop };
  } catch (error) {
    await chain?.stop();
    unlock();
    throw error;
  }
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
