import { Connection } from '@solana/web3.js';
import { inject } from 'vitest';
import type { LocalnetOptions } from '../src/start-localnet.ts';
import { AT_ONCE, type TestNetwork, testNetwork } from './test-network.ts';

/** Of a network in the run's host. The ticket program is there unless `withProgram` is false. */
export interface HostedOptions extends Pick<LocalnetOptions, 'delays' | 'slotDuration'> {
  withProgram?: boolean;
}

/** A network in the process that hosts those of the whole run (`network-host.ts`); final at once unless delays are given,
 * and forkable. */
export async function startHostedNetwork(options: HostedOptions = {}): Promise<TestNetwork> {
  const host = inject('networkHost');
  const response = await fetch(host, { method: 'POST', body: JSON.stringify({ delays: AT_ONCE, ...options }) });
  if (!response.ok) throw new Error(await response.text());
  const { url, port } = (await response.json()) as { url: string; port: number };
  const stop = async () => {
    await fetch(new URL(`/${port}`, host), { method: 'DELETE' });
  };
  return testNetwork({ url, port, stop }, new Connection(url, 'confirmed'));
}
