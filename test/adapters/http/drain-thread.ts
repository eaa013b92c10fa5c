/**
 * A server in a thread. When it is told to, it is drained, and its event loop stands still from before the end of the grace until after.
 *
 * @module
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { drain } from '../../../adapters/http/drain.ts';

const STILL_AFTER_MS = 900;
const STILL_MS = 300;

const server = createServer((_, response) => response.end('ok'));
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));

/** Just before the turn's timers, and so before what arrives meanwhile is read. */
function standStill(): void {
  parentPort?.postMessage('still');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STILL_MS);
}

parentPort?.once('message', () => {
  setTimeout(() => setImmediate(standStill), STILL_AFTER_MS);
  void drain(server).then(() => parentPort?.close());
});
