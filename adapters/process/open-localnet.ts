import { setTimeout as sleep } from 'node:timers/promises';
import type { Localnet } from '@fan-api/localnet';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import type { Logger } from 'pino';
import type { Config } from '../../src/platform/config/config.ts';

/** A local network, of this process or of another. */
export type UsedLocalnet = Pick<Localnet, 'url' | 'stop'>;

type LocalnetPackage = typeof import('@fan-api/localnet');

/** How long to wait for the network of a process that starts at the same moment. */
const SHARED_WITHIN_MS = 5_000;

/**
 * Starts the local network at its port. If another process over the same database runs one there, that one is used; if
 * the port is taken by anything else, a free one is used.
 * @param authority our co-signing key: a network whose program has it belongs to a process over the same database
 * @param begun the first attempt, if it was already made
 * @throws LocalnetError where another process uses the data folder
 * @throws Error where the network is not installed, as in a production install
 */
export async function openLocalnet(
  config: Config,
  log: Logger,
  authority: string,
  begun = beginLocalnet(config, log),
): Promise<UsedLocalnet> {
  try {
    return await begun;
  } catch (error) {
    const localnet = await loadLocalnet();
    if (!(error instanceof localnet.LocalnetError)) throw error;
    const url = localnet.urlOf('127.0.0.1', config.localnetPort);
    if (await becomesOurs(url, authority)) {
      log.info({ url }, 'using the local network of another process on this database');
      return { url, stop: async () => {} };
    }
    if (error.code !== 'port_taken') throw error;
    const elsewhere = await start(localnet, config, log, 0);
    log.warn({ url: elsewhere.url }, `port ${config.localnetPort} is taken: the local network uses another`);
    return elsewhere;
  }
}

/** Starts the local network at its port. @throws as `openLocalnet`; LocalnetError where it cannot run there */
export async function beginLocalnet(config: Config, log: Logger): Promise<Localnet> {
  return start(await loadLocalnet(), config, log, config.localnetPort);
}

async function loadLocalnet(): Promise<LocalnetPackage> {
  try {
    const localnet = await import('@fan-api/localnet');
    localnet.requireVm();
    return localnet;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && String(cause.code).endsWith('MODULE_NOT_FOUND'))) throw cause;
    throw new Error(
      'The local Solana network is not installed. Set SANDBOX_RPC_URL to a Solana cluster or LOCALNET=false, or run `npm ci` without --omit=dev.',
      { cause },
    );
  }
}

async function start({ startLocalnet }: LocalnetPackage, config: Config, log: Logger, port: number): Promise<Localnet> {
  return startLocalnet({
    port,
    delays: config.localnetDelays,
    dataDir: config.dataDir,
    programs: [readLocalProgram()],
    logger: { error: (text) => log.error(text) },
  });
}

async function becomesOurs(url: string, authority: string): Promise<boolean> {
  // loaded late: it needs most of the service, and this file is loaded before that
  const { createGateway } = await import('../../src/chain/gateway/gateway.ts');
  const gateway = createGateway({ rpcUrl: url, programId: LOCAL_PROGRAM_ID });
  for (let waited = 0; waited < SHARED_WITHIN_MS; waited += 250) {
    const found = await gateway.config().catch(() => 'no cluster' as const);
    if (found === 'no cluster') return false;
    if (found !== undefined) return found.authority === authority;
    await sleep(250);
  }
  return false;
}
