import { Gauge } from 'prom-client';
import type { Mode } from '../platform/mode.ts';
import type { Chains } from './chains.ts';
import { soon } from './payer.ts';
import { authorityFaultOf } from './require-authority.ts';

const ready = new Gauge({
  name: 'chain_ready',
  help: 'Whether listings and claims can be signed (1) or not (0), by mode; absent for a mode without a cluster',
  labelNames: ['mode'],
});
const finalized = new Gauge({
  name: 'chain_finalized_slot',
  help: 'The newest finalized slot that the RPC node knows, by mode',
  labelNames: ['mode'],
});

/** Sets the metrics of a mode's cluster. Never throws: a failure is a result. */
export async function watchChain(chains: Chains, mode: Mode): Promise<void> {
  const state = await readChainState(chains, mode);
  if (state === 'not_configured') return;
  ready.set({ mode }, state === 'ready' ? 1 : 0);
  const finality = await chains[mode]?.gateway.finality().catch(() => undefined);
  if (finality) finalized.set({ mode }, finality.slot);
}

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

/** Reads, within two seconds, whether listings can be co-signed. Never throws. */
export async function readChainState(chains: Chains, mode: Mode): Promise<ChainState> {
  const chain = chains[mode];
  if (chain === undefined) return chains.absent?.get(mode) ?? 'not_configured';
  const read = chain.gateway.config().then(async (config) => (await authorityFaultOf(chain, config)) ?? 'ready');
  return (await soon(read)) ?? 'unreachable';
}
