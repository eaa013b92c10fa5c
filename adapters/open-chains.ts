import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Chain, Chains } from '../src/chain/chains.ts';
import { checkCluster } from '../src/chain/check-cluster.ts';
import { createGateway } from '../src/chain/gateway/gateway.ts';
import { LocalnetError } from '../src/chain/localnet/localnet-error.ts';
import { type Localnet, startLocalnet } from '../src/chain/localnet/start-localnet.ts';
import { LOCAL_PROGRAM_ID } from '../src/chain/program/local-keys.ts';
import type { Config } from '../src/config.ts';
import { createContext, type Runtime } from '../src/context.ts';
import { MODES, type Mode } from '../src/entities/mode.ts';
import { DomainError } from '../src/errors.ts';
import { setUpLocalProgram } from '../src/sandbox/set-up-local-program.ts';
import { ensureChainKeys } from '../src/wallet/chain-keys.ts';

/** The chains of a process, and the local network where it runs one. */
export interface OpenChains {
  chains: Chains;
  close(): Promise<void>;
}

/**
 * Connects each mode to its Solana cluster. In sandbox, where no RPC URL is configured, that is the local network, brought
 * up here unless another process on this machine has it up already.
 * @throws WrongClusterError where an RPC URL leads elsewhere than it should
 */
export async function openChains(runtime: Runtime): Promise<OpenChains> {
  const { config, log } = runtime;
  const local = config.chains.sandbox.rpcUrl === undefined ? await openLocalnet(config, log) : undefined;
  const chains: Chains = {};
  const timers = new Set<NodeJS.Timeout>();

  async function connect(mode: Mode): Promise<void> {
    const { programId, rpcUrl = mode === 'sandbox' ? local?.url : undefined } = config.chains[mode];
    if (rpcUrl === undefined || programId === undefined) return;
    const gateway = createGateway({ rpcUrl, programId });
    const isLocal = mode === 'sandbox' && local !== undefined;
    await checkCluster(createContext(runtime, null), mode, gateway, isLocal);
    const keys = await ensureChainKeys(createContext(runtime, null), mode);
    const chain: Chain = { gateway, programId, ...keys, publicRpcUrl: mode === 'sandbox' ? rpcUrl : null };
    if (isLocal) await setUpLocalProgram(chain, runtime.signer);
    chains[mode] = chain;
  }

  /** A cluster that is away is no reason not to start: tickets and tokens need none. Nothing is signed until it is checked. */
  async function connectOrTryLater(mode: Mode): Promise<void> {
    try {
      await connect(mode);
    } catch (err) {
      if (!(err instanceof DomainError)) throw err;
      log.error({ err, mode }, 'the Solana cluster can not be reached; listings and claims wait for it');
      const timer = setTimeout(() => {
        timers.delete(timer);
        connectOrTryLater(mode).catch((fault: unknown) =>
          log.fatal({ err: fault, mode }, 'the Solana cluster is not used'),
        );
      }, RECONNECT_MS);
      timers.add(timer);
    }
  }

  async function close(): Promise<void> {
    for (const timer of timers) clearTimeout(timer);
    await local?.stop();
  }

  try {
    for (const mode of MODES) await connectOrTryLater(mode);
  } catch (error) {
    await close();
    throw error;
  }
  return { chains, close };
}

const RECONNECT_MS = 5_000;

async function openLocalnet(config: Config, log: Logger): Promise<Pick<Localnet, 'url' | 'stop'>> {
  const elf = await readFile(new URL('../src/chain/program/permit.so', import.meta.url));
  try {
    return await startLocalnet({
      port: config.localnetPort,
      dataDir: config.dataDir,
      programs: [{ id: LOCAL_PROGRAM_ID, elf }],
      logger: {
        info: (text: string) => log.debug(text),
        warn: (text: string) => log.warn(text),
        error: (text: string) => log.error(text),
      },
    });
  } catch (error) {
    const url = `http://127.0.0.1:${config.localnetPort}`;
    if (!(error instanceof LocalnetError) || !(await isLocalnet(url))) throw error;
    log.warn({ url }, 'using the local network of another process');
    return { url, stop: async () => {} };
  }
}

async function isLocalnet(url: string): Promise<boolean> {
  return createGateway({ rpcUrl: url, programId: LOCAL_PROGRAM_ID })
    .config()
    .then(
      () => true,
      () => false,
    );
}
