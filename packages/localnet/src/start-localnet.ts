/**
 * The local test network: a real Solana VM (LiteSVM) behind the JSON-RPC and WebSocket endpoint of a cluster, so that the
 * service, a partner's `Connection` and Anchor use it like devnet. It is the default if no RPC URL is configured.
 * The chain lives in a worker thread (`worker.ts`) and in the data folder (`store/`).
 *
 * A transaction is `processed` as soon as it is answered, `confirmed` and `finalized` some slots later; a read at a
 * commitment sees the state of that commitment's newest slot. What the network does not have: vote and stake, slots
 * without a block, and parsers for programs other than System, Memo and SPL Token.
 */
import { createRequire } from 'node:module';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { CLUSTER_DELAYS, type CommitmentDelays } from '@fan-api/solana-wire/local-network';
import { type ChainThread, type LocalnetLogger, type OpenChainPort, startChainThread } from './chain-thread.ts';
import { lockFolder } from './folder-lock.ts';
import type { GenesisProgram } from './genesis-program.ts';
import { createHttpEndpoint } from './http-endpoint.ts';
import { createUpgradeOnlyServer, listenOnPair } from './port-pair.ts';
import { createSocketEndpoint } from './socket-endpoint.ts';

export { LocalnetError } from './localnet-error.ts';

/** Milliseconds per slot on a cluster. */
const SLOT_DURATION = 400;

const LOOPBACK = '127.0.0.1';

export interface LocalnetOptions {
  /** JSON-RPC and WebSocket; the port after it takes WebSocket too. 0 finds a free pair. */
  port: number;
  /** The interface to listen on; loopback unless another is named. */
  host?: string;
  /** The chain is kept in `localnet/` under it. */
  dataDir: string;
  /** Programs that are there from the start. Their code is always the one given here, never one from the folder. */
  programs: GenesisProgram[];
  logger?: LocalnetLogger;
  /** Milliseconds per slot of a new chain; an old one keeps its own. */
  slotDuration?: number;
  /** How many slots the commitments take; as on a cluster unless given. Zero is at once. */
  delays?: CommitmentDelays | undefined;
  /** For tests: the method `dropAfter` drops blocks, as a cluster does with a fork that lost, and `passSlots` lets slots pass. */
  forkable?: boolean;
  /** For tests: where the chain runs; in a thread of its own unless given. */
  openPort?: OpenChainPort;
}

export interface Localnet {
  /** Of the JSON-RPC endpoint, for a `Connection`. */
  url: string;
  port: number;
  /** Answers pending requests, takes a snapshot, and ends. Safe to call twice. */
  stop(): Promise<void>;
}

/** @throws LocalnetError when the port is taken or another process has the folder */
export async function startLocalnet(options: LocalnetOptions): Promise<Localnet> {
  const { port, host = LOOPBACK, dataDir, programs, logger = console } = options;
  const { slotDuration = SLOT_DURATION, delays = CLUSTER_DELAYS, forkable = false, openPort } = options;
  checkDelays(delays);
  const folder = join(dataDir, 'localnet');
  const unlock = lockFolder(folder);
  let chain: ChainThread | undefined;
  try {
    const sockets = createSocketEndpoint(() => chain as ChainThread);
    chain = await startChainThread(
      { folder, programs, slotDuration, delays, forkable },
      logger,
      sockets.send,
      openPort,
    );
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
    return { url: urlOf(host, bound), port: bound, stop };
  } catch (error) {
    await chain?.stop();
    unlock();
    throw error;
  }
}

/** @throws where the VM is not installed; it is loaded later, by the worker */
export function requireVm(): void {
  createRequire(import.meta.url).resolve('litesvm');
}

function checkDelays({ confirmed, finalized }: CommitmentDelays): void {
  if (confirmed <= finalized) return;
  throw new RangeError(`confirmed (after ${confirmed} slots) cannot come later than finalized (after ${finalized})`);
}

/** URL by which this machine reaches a network that listens on `host`, which may be a wildcard. */
export function urlOf(host: string, port: number): string {
  const reached = host === '0.0.0.0' ? LOOPBACK : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/** Whether `host` is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
