/** The thread that runs the network, so that the VM's calls block this event loop and not the service's. */
import { parentPort, workerData } from 'node:worker_threads';
import { LocalnetError } from './localnet-error.ts';
import { type NetworkSetup, serveNetwork } from './serve-network.ts';
import type { FromWorker } from './start-localnet.ts';

const send = (message: FromWorker) => parentPort?.postMessage(message);

try {
  const network = await serveNetwork(workerData as NetworkSetup, (error) => send({ error }));
  send({ port: network.port });
  // any message asks for the end
  parentPort?.once('message', () => network.stop());
} catch (error) {
  if (!(error instanceof LocalnetError)) throw error;
  send({ refused: { code: error.code, message: error.message } });
}
