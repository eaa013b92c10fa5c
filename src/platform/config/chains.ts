import type { Mode } from '../mode.ts';
import type { Environment } from './variables.ts';

/** The Solana cluster of a mode. */
export interface ChainConfig {
  /** Undefined: none, or in sandbox the local network of this process (`localnet`). */
  rpcUrl: string | undefined;
  /** The address of a node that partners may know: `rpcUrl` may have a key in it. */
  publicRpcUrl: string | undefined;
  programId: string | undefined;
  /** The hash that the cluster must have, where one is given. */
  genesisHash: string | undefined;
}

/** The cluster of each mode, as the environment names it. */
export function readChains(values: Environment): Record<Mode, ChainConfig> {
  return {
    sandbox: {
      rpcUrl: values.SANDBOX_RPC_URL,
      publicRpcUrl: values.SANDBOX_PUBLIC_RPC_URL,
      programId: values.SANDBOX_PROGRAM_ID,
      genesisHash: values.SANDBOX_GENESIS_HASH,
    },
    production: {
      rpcUrl: values.PRODUCTION_RPC_URL,
      publicRpcUrl: undefined,
      programId: values.PRODUCTION_PROGRAM_ID,
      genesisHash: values.PRODUCTION_GENESIS_HASH,
    },
  };
}
