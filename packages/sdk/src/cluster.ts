/** A mode's cluster, as the service publishes it at `/clusters.json`. */
export interface Cluster {
  /** Address of the ticket program. */
  programId: string;
  /** Compare it with your node's `getGenesisHash` before you send anything. */
  genesisHash: string | undefined;
  /** Undefined in production, and where the sandbox names none: use a node of your own. */
  rpcUrl: string | undefined;
}

/**
 * Asks the service for a mode's cluster.
 * @param origin where the Fan API is; a path is ignored
 * @throws Error where the mode has none
 */
export async function fetchCluster(
  origin: string,
  mode: 'sandbox' | 'production',
  send: (request: Request) => Promise<Response> = fetch,
): Promise<Cluster> {
  const request = new Request(new URL('/clusters.json', origin), { signal: AbortSignal.timeout(15_000) });
  const response = await send(request);
  if (!response.ok) throw new Error(`${request.url} answered ${response.status}.`);
  const clusters = (await response.json()) as Record<string, Record<string, string | null> | undefined>;
  const { program_id, genesis_hash, rpc_url } = clusters[mode] ?? {};
  if (typeof program_id !== 'string') throw new Error(`There is no cluster for ${mode}.`);
  return { programId: program_id, genesisHash: genesis_hash ?? undefined, rpcUrl: rpc_url ?? undefined };
}
