import { Connection } from '@solana/web3.js';
import { type Child, startChild } from './child-process.ts';

/** How many slots the commitments of a local network take. */
export interface NetworkDelays {
  confirmedAfter: number;
  finalizedAfter: number;
}

/** Starts a local network in a process of its own, on a port and the one after it. */
export async function startNetwork(
  port: number,
  dataDir: string,
  { confirmedAfter, finalizedAfter }: NetworkDelays,
): Promise<{ rpcUrl: string; network: Child }> {
  const rpcUrl = `http://127.0.0.1:${port}`;
  const env = { LOCALNET_PORT: String(port), DATA_DIR: dataDir };
  const isReady = async () => (await new Connection(rpcUrl).getSlot()) >= 0;
  const flags = [`--confirmed-after=${confirmedAfter}`, `--finalized-after=${finalizedAfter}`];
  return { rpcUrl, network: await startChild('packages/localnet/src/main.ts', env, isReady, flags) };
}
