import { setTimeout as sleep } from 'node:timers/promises';
import type { Mode } from '../platform/mode.ts';
import type { Chains } from './chains.ts';
import { authorityFaultOf } from './require-authority.ts';

/** The state of a mode's chain, for operators and staff. Listings are signed only when `ready`. */
export const CHAIN_STATES = [
  'ready',
  'not_configured',
  'unreachable',
  'wrong_cluster',
  'authority_rotated',
  'config_missing',
] as const;
export type ChainState = (typeof CHAIN_STATES)[number];

const PATIENCE_MS = 2_000;

/** Reads, within two seconds, whether listings can be co-signed. Never throws. */
export async function readChainState(chains: Chains, mode: Mode): Promise<ChainState> {
  const chain = chains[mode];
  if (chain === undefined) return chains.absent?.get(mode) ?? 'not_configured';
  const ended = new AbortController();
  try {
    return await Promise.race([
      chain.gateway.config().then(async (config) => (await authorityFaultOf(chain, config)) ?? 'ready'),
      sleep(PATIENCE_MS, 'unreachable' as const, { signal: ended.signal }),
    ]);
  } catch {
    return 'unreachable';
  } finally {
    ended.abort();
  }
}
