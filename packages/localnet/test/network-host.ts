/**
 * Hosts the networks of a test run in one process, so that the Solana VM is loaded once.
 * `POST /` with options starts a network, `DELETE /<port>` ends it. Prints its own URL.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import { serveNetwork } from '../src/serve-network.ts';
import { startLocalnet } from '../src/start-localnet.ts';
import type { HostedOptions } from './hosted-network.ts';

const networks = new Map<number, () => Promise<void>>();

async function start({ withProgram = true, ...options }: HostedOptions): Promise<{ url: string; port: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'localnet-'));
  const { url, port, stop } = await startLocalnet({
    port: 0,
    programs: withProgram ? [readLocalProgram()] : [],
    forkable: true,
    run: serveNetwork,
    ...options,
    dataDir,
  });
  networks.set(port, async () => {
    await stop();
    await rm(dataDir, { recursive: true });
  });
  return { url, port };
}

async function end(port: number): Promise<Record<string, never>> {
  const remove = networks.get(port);
  networks.delete(port);
  await remove?.();
  return {};
}

function answer(request: IncomingMessage): Promise<object> {
  if (request.method === 'DELETE') return end(Number(request.url?.slice(1)));
  return json(request).then((options) => start(options as HostedOptions));
}

const server = createServer(async (request, response) => {
  try {
    response.end(JSON.stringify(await answer(request)));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(0, '127.0.0.1', () => {
  console.info(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
