import { type MessagePort, Worker } from 'node:worker_threads';
import type { FromWorker, ToWorker, WorkerSetup } from './worker-messages.ts';

/** Compatible with a pino logger. */
export interface LocalnetLogger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Where a chain runs: what is behind the port is `serveChain`. */
export type OpenChainPort = (setup: WorkerSetup) => Worker | MessagePort;

/** In a thread of its own. */
export const inThread: OpenChainPort = (setup) =>
  new Worker(new URL('./worker.ts', import.meta.url), { workerData: setup });

/** The worker thread, seen from the main one. */
export interface ChainThread {
  /** Answers a JSON-RPC text; undefined for notifications. Rejects after the thread has ended. */
  request(text: string): Promise<string | undefined>;
  socketText(connection: number, text: string): void;
  socketClosed(connection: number): void;
  /** Answers pending requests, saves, and ends. */
  stop(): Promise<void>;
}

/** Starts the thread and waits until its chain is restored. Rejects when that fails. */
export async function startChainThread(
  setup: WorkerSetup,
  logger: LocalnetLogger,
  onSocketText: (connection: number, text: string) => void,
  openPort = inThread,
): Promise<ChainThread> {
  const worker = openPort(setup);
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const waiting = new Map<number, PromiseWithResolvers<string | undefined>>();
  let lastId = 0;
  let gone: Error | undefined;

  function end(reason: Error): void {
    gone ??= reason;
    ready.reject(gone);
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
    ended.resolve();
  }

  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'ready') ready.resolve();
    else if (message.kind === 'log') logger[message.level](message.message);
    else if (message.kind === 'socket') onSocketText(message.connection, message.text);
    else if (message.kind === 'answer') {
      waiting.get(message.id)?.resolve(message.text);
      waiting.delete(message.id);
    }
  });
  worker.on('error', (error) => {
    logger.error(`localnet: the chain thread failed: ${error instanceof Error ? error.message : String(error)}`);
    end(error instanceof Error ? error : new Error(String(error)));
  });
  // of a thread, and of a port alone
  for (const event of ['exit', 'close']) worker.on(event, () => end(new Error('the local network has stopped')));
  await ready.promise;

  const post = (message: ToWorker) => worker.postMessage(message);
  return {
    request(text) {
      if (gone) return Promise.reject(gone);
      lastId += 1;
      const answer = Promise.withResolvers<string | undefined>();
      waiting.set(lastId, answer);
      post({ kind: 'request', id: lastId, text });
      return answer.promise;
    },
    socketText: (connection, text) => post({ kind: 'socket', connection, text }),
    socketClosed: (connection) => post({ kind: 'socketClosed', connection }),
    async stop() {
      post({ kind: 'stop' });
      await ended.promise;
    },
  };
}
