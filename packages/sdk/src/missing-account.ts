import { pause } from './transport.ts';

/** The ticket program has no account at an address. */
export class MissingAccountError extends Error {
  override readonly name = 'MissingAccountError';

  constructor(address: string) {
    super(`The ticket program has no account ${address} on this cluster.`);
  }
}

const PATIENCE_MS = 12_000;
const POLL_MS = 500;

/** A ticket's permit is put onchain once an app may list the ticket: reads it until it is there. */
export async function untilOnchain<T>(read: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + PATIENCE_MS; ; await pause(POLL_MS)) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof MissingAccountError) || Date.now() >= until) throw error;
    }
  }
}
