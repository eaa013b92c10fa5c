import { createServer } from 'node:net';
import { createLog, standardError } from '../../../adapters/process/log.ts';
import { openDatabase } from '../../../adapters/process/open-database.ts';
import { openRuntime } from '../../../adapters/process/runtime.ts';
import { type Running, serve } from '../../../adapters/process/serve.ts';
import type { Scope } from '../../../src/partners/scopes.ts';
import type { Config } from '../../../src/platform/config/config.ts';
import { readConfig } from '../../../src/platform/config/read-config.ts';
import { createContext } from '../../../src/runtime.ts';
import { makeSandboxKey } from '../../../src/sandbox/failure/sandbox-key.ts';
import { provideStarterKit } from '../../../src/sandbox/starter-kit.ts';
import type { Parts } from './begin-parts.ts';
import { interfaceOf, type SandboxOptions, type SandboxPlace } from './command-words.ts';
import { keepTemplate } from './database-template.ts';
import { describeSandbox } from './describe-sandbox.ts';
import type { SandboxDescription } from './sandbox-description.ts';
import { seedRandomness } from './seed-randomness.ts';
import { keepSeededState } from './seeded-state.ts';
import { serveControl } from './serve-control.ts';

/** A running sandbox in this process. */
export interface OpenSandbox {
  description: SandboxDescription;
  /** Ends it, and removes what it kept. */
  stop(): Promise<void>;
}

/** Below the ports that the system gives to outgoing connections. */
const PORTS = { from: 20_000, to: 32_000 };
/** While test data goes onto the chain, slots pass faster than on a cluster. */
const PASSING = { everyMs: 40, slots: 4 };

/** Starts the service over a database and a network that have just begun. @param parts are ended with it, also where it fails */
export async function openSandbox(
  options: SandboxOptions & SandboxPlace & { scopes?: Scope[] },
  { folder, isMigrated, embedded, localnet, end }: Parts,
): Promise<OpenSandbox> {
  let running: Running | undefined;
  let endControl = () => {};
  const stop = async () => {
    endControl();
    await running?.stop();
    await end();
  };
  try {
    const rpcUrl = (await localnet).url;
    const { settings, control, controlUrl } = await placesOf(options, new URL(rpcUrl).port);
    const config = configure(folder, settings);
    const log = createLog('error', standardError());
    // it has drawn its password
    const { url } = await embedded;
    if (!isMigrated) {
      await (await openDatabase(config, url, log, 'command')).close();
      await keepTemplate(folder, url);
    }
    const endSeed = options.seed === undefined ? () => {} : seedRandomness(options.seed);
    const opened = await openRuntime(config, { embedded, log });
    const context = createContext(opened.runtime, null);
    const kit = await provideStarterKit(context, options);
    if (kit === undefined) throw new Error('the database is not new');
    const sandboxKey = await makeSandboxKey(context, kit.client_id, 'system');
    endSeed();
    const served = await passingSlots(rpcUrl, () => serve(config, { opened, begun: { embedded, localnet } }));
    running = served;
    const description = await describeSandbox(served, { sandboxKey, control: controlUrl });
    endControl = await serveControl(control, { description, reset: await keepState(served, rpcUrl) });
    return { description, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The service's own configuration, without the surfaces that no test of a partner needs. */
function configure(folder: string, places: NodeJS.ProcessEnv): Config {
  const config = readConfig({
    ...places,
    DATA_DIR: folder,
    SURFACES: 'fan,auth,login,playground',
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
  });
  // one process sees what it armed at once
  config.simulationSpreadMs = 0;
  return config;
}

/** Where the service and the control listen, and how they are reached. */
async function placesOf(place: SandboxPlace, networkPort: string) {
  const { port, host } = place;
  const [servicePort, controlPort] = port === undefined ? [await freePort(), await freePort()] : [port, port + 3];
  const listensOn = interfaceOf(place);
  return {
    settings: {
      PORT: String(servicePort),
      HOST: listensOn,
      ...(host !== undefined && addressesAt(host, servicePort, networkPort)),
    },
    control: { port: controlPort, host: listensOn },
    controlUrl: `http://${host ?? listensOn}:${controlPort}`,
  };
}

function addressesAt(host: string, servicePort: number, networkPort: string) {
  const origin = `http://${host}:${servicePort}`;
  const network = `http://${host}:${networkPort}`;
  return { AUTH_URL: origin, API_URL: `${origin}/fan`, LOGIN_URL: `${origin}/login`, SANDBOX_PUBLIC_RPC_URL: network };
}

async function passingSlots<T>(rpcUrl: string, work: () => Promise<T>): Promise<T> {
  // the next call makes up for one that fails; if the network is down, the service finds out by itself
  const pass = () => callNetwork(rpcUrl, 'passSlots', [PASSING.slots]).catch(() => {});
  const timer = setInterval(pass, PASSING.everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** @returns what brings the present state back */
async function keepState(running: Running, rpcUrl: string): Promise<() => Promise<void>> {
  const { simulatedClients } = running.opened.runtime;
  let restore = async () => {};
  await running.withoutSync(async () => {
    const slot = await callNetwork(rpcUrl, 'keep', []);
    const state = await keepSeededState(running.opened.databaseUrl);
    restore = async () => {
      await callNetwork(rpcUrl, 'dropAfter', [slot]);
      await state.restore();
      await simulatedClients.read();
    };
  });
  return () => running.withoutSync(restore);
}

/** A method that only the local network has. */
async function callNetwork(rpcUrl: string, method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** A port that nothing listens on, on any interface. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
