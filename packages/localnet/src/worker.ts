/** The thread that runs the chain, so that its calls block this event loop and not the service's. */
import { parentPort, workerData } from 'node:worker_threads';
import { serveChain } from './serve-chain.ts';
import type { WorkerSetup } from './worker-messages.ts';

if (parentPort) serveChain(parentPort, workerData as WorkerSetup);
