import { isLocalGenesisHash } from '@fan-api/solana-wire/local-network';
import { ChainCluster } from '../../entities/chain.ts';
import type { WithCustody } from '../../keys/vault.ts';
import type { Context, EntityContext, WithConfig } from '../../platform/context.ts';
import type { Mode } from '../../platform/mode.ts';
import type { Chain } from '../chains.ts';
import { WrongClusterError } from '../check-cluster.ts';
import { checkPublicKeys } from '../check-public-keys.ts';
import { createGateway } from '../gateway/gateway.ts';
import { ensureChainKeys } from '../wallet/create-keys.ts';
import { SetupError } from './setup-error.ts';

type SetupContext = EntityContext & WithConfig & WithCustody;

/** A mode's cluster as an operator sets it up. */
export interface Cluster extends Chain {
  readonly mode: Mode;
  readonly rpcUrl: string;
}

/** The cluster that an operator works on: the configured one, or the local network of the running service. */
export async function namedCluster(context: SetupContext, mode: Mode): Promise<Cluster> {
  const { chains, localnet, localnetPort } = context.config;
  const local = mode === 'sandbox' && localnet ? `http://127.0.0.1:${localnetPort}` : undefined;
  const { programId, rpcUrl = local } = chains[mode];
  const prefix = mode.toUpperCase();
  if (rpcUrl === undefined) {
    throw new SetupError(`No cluster is configured for ${mode}: set ${prefix}_RPC_URL and ${prefix}_PROGRAM_ID.`);
  }
  if (programId === undefined) throw new SetupError(`Set ${prefix}_PROGRAM_ID: the address of the ticket program.`);
  const keys = await ensureChainKeys(context, mode);
  return { mode, rpcUrl, gateway: createGateway({ rpcUrl, programId }), programId, ...keys, publicRpcUrl: null };
}

/**
 * The genesis hash that a mode's cluster must have: the one that the first start stored in this database.
 * @returns undefined before that; a local network may start again with another
 */
export async function expectedGenesisHash(
  { em, config }: Pick<Context, 'em' | 'config'>,
  mode: Mode,
): Promise<string | undefined> {
  const known = await em.fork().findOne(ChainCluster, { mode });
  if (known && config.chains[mode].rpcUrl === undefined && isLocalGenesisHash(known.genesisHash)) return undefined;
  return known?.genesisHash;
}

/**
 * Opens a cluster for a step that changes it.
 * @throws SetupError where it is not configured, or sets itself up
 * @throws WrongClusterError for another cluster than the expected one
 * @throws PublicKeyError where a key of the local network has rights there
 */
export async function openCluster(context: SetupContext, mode: Mode): Promise<Cluster> {
  const cluster = await namedCluster(context, mode);
  const [found, expected] = await Promise.all([cluster.gateway.genesisHash(), expectedGenesisHash(context, mode)]);
  if (expected !== undefined && expected !== found) throw new WrongClusterError(mode, found, expected);
  const isLocal = await checkPublicKeys(cluster.gateway, mode);
  if (isLocal) throw new SetupError('The local network needs no set-up: the service does it at each start.');
  return cluster;
}
