import type { AbsentReason, Chain, Chains } from '../../src/chain/chains.ts';
import { checkCluster, WrongClusterError } from '../../src/chain/check-cluster.ts';
import { checkPublicKeys, PublicKeyError } from '../../src/chain/check-public-keys.ts';
import { createGateway } from '../../src/chain/gateway/gateway.ts';
import { ensureChainKeys } from '../../src/chain/wallet/create-keys.ts';
import { hasAuthority, takeAuthority } from '../../src/chain/wallet/take-authority.ts';
import { DomainError } from '../../src/platform/errors.ts';
import { MODES, type Mode } from '../../src/platform/mode.ts';
import { createContext, type Runtime } from '../../src/runtime.ts';
import { setUpLocalProgram } from '../../src/sandbox/set-up-local-program.ts';
import type { BegunParts } from './begin-parts.ts';
import { openLocalnet, type UsedLocalnet } from './open-localnet.ts';
import { measuredRpc } from './telemetry/measured-calls.ts';

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/** The chains of a process, and the local network where it runs one. */
export interface OpenChains {
  chains: Chains;
  close(): Promise<void>;
}

/**
 * Connects each mode to its Solana cluster. Where the configuration says so, sandbox uses the local network, which is started here
 * unless another process on this machine runs it.
 * @param begun the local network, if its start has already begun
 * @throws WrongClusterError where an RPC URL is another cluster's
 * @throws PublicKeyError where a key of the local network has rights on another cluster
 */
export async function openChains(runtime: Runtime, begun: Pick<BegunParts, 'localnet'> = {}): Promise<OpenChains> {
  const { config, log } = runtime;
  const local = config.localnet ? await openOwnLocalnet(runtime, begun.localnet) : undefined;
  const absent = new Map<Mode, AbsentReason>();
  const chains: Chains = { absent };
  const timers = new Set<NodeJS.Timeout>();

  async function connect(mode: Mode): Promise<void> {
    const own = mode === 'sandbox' ? local?.url : undefined;
    // a production service does not publish the local network's address, which works on this machine only
    const { programId, rpcUrl = own, publicRpcUrl = config.production ? undefined : own } = config.chains[mode];
    if (rpcUrl === undefined || programId === undefined) return;
    const gateway = createGateway({ rpcUrl, programId }, (rpc) => measuredRpc(mode, rpc));
    const isLocal = await checkPublicKeys(gateway, mode);
    await checkCluster(createContext(runtime, null), mode, gateway, isLocal);
    const keys = await ensureChainKeys(createContext(runtime, null), mode);
    const chain: Chain = {
      gateway,
      programId,
      ...keys,
      takeAuthority: (address) => takeAuthority(createContext(runtime, null), mode, address),
      hasAuthority: (address) => hasAuthority(createContext(runtime, null), mode, address),
      publicRpcUrl: publicRpcUrl ?? null,
    };
    if (isLocal) await setUpLocalProgram(chain, runtime.signer);
    chains[mode] = chain;
    absent.delete(mode);
  }

  /** The service starts without a cluster, which tickets and tokens do not need. Nothing is signed until it is checked. */
  async function connectOrRetry(mode: Mode, pause = FIRST_PAUSE_MS): Promise<void> {
    try {
      await connect(mode);
    } catch (err) {
      if (err instanceof WrongClusterError || err instanceof PublicKeyError) absent.set(mode, 'wrong_cluster');
      if (!(err instanceof DomainError)) throw err;
      absent.set(mode, 'unreachable');
      // without its stacks, which would help nobody
      const reason = err.cause instanceof Error ? err.cause.message : err.message;
      log.error(
        { mode, reason, nextTryMs: pause },
        'the Solana cluster is unreachable: no listings or claims until it responds',
      );
      const timer = setTimeout(() => {
        timers.delete(timer);
        connectOrRetry(mode, Math.min(2 * pause, LONGEST_PAUSE_MS)).catch((error: unknown) =>
          log.fatal({ err: error, mode }, 'the Solana cluster is not used'),
        );
      }, pause);
      timers.add(timer);
    }
  }

  async function close(): Promise<void> {
    for (const timer of timers) clearTimeout(timer);
    await local?.stop();
  }

  try {
    if (!config.localnet && config.chains.sandbox.rpcUrl === undefined) {
      log.info('the sandbox has no Solana cluster: neither SANDBOX_RPC_URL nor LOCALNET is set');
    }
    for (const mode of MODES) await connectOrRetry(mode);
  } catch (error) {
    await close();
    throw error;
  }
  return { chains, close };
}

async function openOwnLocalnet(runtime: Runtime, begun: BegunParts['localnet']): Promise<UsedLocalnet> {
  const { authority } = await ensureChainKeys(createContext(runtime, null), 'sandbox');
  return openLocalnet(runtime.config, runtime.log, authority, begun);
}
