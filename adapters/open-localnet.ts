import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createGateway } from '../src/chain/gateway/gateway.ts';
import type { Config } from '../src/config/config.ts';
import { LocalnetError } from '../src/localnet/localnet-error.ts';
import { isLoopback, type Localnet, startLocalnet, urlOf } from '../src/localnet/start-localnet.ts';
import { LOCAL_PROGRAM_ID } from '../src/program/local-keys.ts';

/** A local network, of this process or of another. */
export type UsedLocalnet = Pick<Localnet, 'url' | 'stop'>;

/** How long the network of a process that starts at the same moment may take to become ours together. */
const SHARED_WITHIN_MS = 5_000;

/**
 * Brings the local network up at its port. Where another process over the same database has one up there, that is used;
 * where somebody else has the port, a free one is taken.
 * @param authority our co-signing key: a network whose program has it is of a process over the same database
 * @throws LocalnetError where another process uses the data folder
 */
export async function openLocalnet(config: Config, log: Logger, authority: string): Promise<UsedLocalnet> {
  try {
    return await start(config, log, config.localnetPort);
  } catch (error) {
    if (!(error instanceof LocalnetError)) throw error;
    const url = urlOf(config.localnetHost, config.localnetPort);
    if (await becomesOurs(url, authority)) {
      log.info({ url }, 'using the local network of another process over this database');
      return { url, stop: async () => {} };
    }
    if (error.code !== 'port_taken') throw error;
    const elsewhere = await start(config, log, 0);
    log.warn({ url: elsewhere.url }, `port ${config.localnetPort} is taken: the local network is on another`);
    return elsewhere;
  }
}

async function start(config: Config, log: Logger, port: number): Promise<Localnet> {
  const { localnetHost: host, localnetDelays: delays } = config;
  const localnet = await startLocalnet({
    port,
    host,
    delays,
    dataDir: config.dataDir,
    programs: [{ id: LOCAL_PROGRAM_ID, elf: await readFile(PROGRAM) }],
    logger: {
      info: (text: string) => log.debug(text),
      warn: (text: string) => log.warn(text),
      error: (text: string) => log.error(text),
    },
  });
  if (!isLoopback(host)) {
    log.warn({ host }, 'the local network is open to whoever reaches this interface, and its admin key is public');
  }
  return localnet;
}

const PROGRAM = new URL('../src/program/permit.so', import.meta.url);

async function becomesOurs(url: string, authority: string): Promise<boolean> {
  const gateway = createGateway({ rpcUrl: url, programId: LOCAL_PROGRAM_ID });
  for (let waited = 0; waited < SHARED_WITHIN_MS; waited += 250) {
    const found = await gateway.config().catch(() => 'no cluster' as const);
    if (found === 'no cluster') return false;
    if (found !== undefined) return found.authority === authority;
    await sleep(250);
  }
  return false;
}
