import { Gauge } from 'prom-client';
import type { Mode } from '../platform/mode.ts';
import type { Chains } from './chains.ts';
import { readChainState } from './read-chain-state.ts';

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

/** Sets the metrics of a mode's cluster. Never throws: what it finds is what it is for. */
export async function watchChain(chains: Chains, mode: Mode): Promise<void> {
  const state = await readChainState(chains, mode);
  if (state === 'not_configured') return;
  ready.set({ mode }, state === 'ready' ? 1 : 0);
  const finality = await chains[mode]?.gateway.finality().catch(() => undefined);
  if (finality) finalized.set({ mode }, finality.slot);
}
