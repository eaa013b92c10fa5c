/**
 * The local test network: a real Solana VM (LiteSVM) behind the JSON-RPC and WebSocket endpoint of a cluster, so that the
 * service, a partner's `Connection` and Anchor use it like devnet. It is the default if no RPC URL is configured.
 * It runs in a worker thread (`worker.ts`) and is kept in the data folder (`store.ts`).
 *
 * A transaction is `processed` as soon as it is answered, `confirmed` and `finalized` some slots later; a read at a
 * commitment sees the state of that commitment's newest slot. What the network does not have: vote and stake, slots
 * without a block, and parsers of instructions and accounts (`jsonParsed`).
 */
import { createRequire } from 'node:module';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CLUSTER_DELAYS, type CommitmentDelays } from '@fan-api/solana-wire/local-network';
import { LocalnetError } from './localnet-error.ts';
import type { NetworkSetup, ServedNetwork } from './serve-network.ts';
import type { GenesisProgram } from './vm.ts';

export { LocalnetError } from './localnet-error.ts';

/** Milliseconds per slot on a cluster. */
const SLOT_DURATION = 400;

const LOOPBACK = '127.0.0.1';

/** Compatible with a pino logger. */
export interface LocalnetLogger {
  error(message: string): void;
}

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
  /** How many slots the commitments take; as on a cluster unless given. Zero is immediately. */
  delays?: CommitmentDelays | undefined;
  /** For tests: the method `dropAfter` drops blocks, as a cluster does with a fork that lost, and `passSlots` lets slots pass. */
  forkable?: boolean;
  /** For tests: `serveNetwork` runs the network in the caller's thread; it has one of its own unless given. */
  run?: (setup: NetworkSetup, onError: (message: string) => void) => Promise<ServedNetwork>;
}

export interface Localnet {
  /** Of the JSON-RPC endpoint, for a `Connection`. */
  url: string;
  port: number;
  /** Ends it. Safe to call twice. */
  stop(): Promise<void>;
}

/** @throws LocalnetError when the port is taken, another process has the folder, or it has accounts of another version */
export async function startLocalnet(options: LocalnetOptions): Promise<Localnet> {
  const { port, host = LOOPBACK, dataDir, programs, logger = console } = options;
  const { slotDuration = SLOT_DURATION, delays = CLUSTER_DELAYS, forkable = false, run = inThread } = options;
  checkDelays(delays);
  const setup = { port, host, folder: join(dataDir, 'localnet'), programs, slotDuration, delays, forkable };
  const network = await run(setup, (message) => logger.error(message));
  let stopped: Promise<void> | undefined;
  return {
    url: urlOf(host, network.port),
    port: network.port,
    stop() {
      stopped ??= network.stop();
      return stopped;
    },
  };
}

/** From the worker: what went wrong, the port once it serves, or why it does not. */
export type FromWorker = { error: string } | { port: number } | { refused: Pick<LocalnetError, 'code' | 'message'> };

async function inThread(setup: NetworkSetup, onError: (message: string) => void): Promise<ServedNetwork> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: setup });
  const started = Promise.withResolvers<number>();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('message', (message: FromWorker) => {
    if ('port' in message) started.resolve(message.port);
    else if ('refused' in message) started.reject(new LocalnetError(message.refused.code, message.refused.message));
    else onError(message.error);
  });
  worker.on('error', (error) => {
    onError(`localnet: the thread failed: ${error instanceof Error ? error.message : String(error)}`);
    started.reject(error);
  });
  const port = await started.promise;
  return {
    port,
    async stop() {
      worker.postMessage('stop');
      await ended;
    },
  };
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
