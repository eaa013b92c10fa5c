import type { TokenSet } from './auth-server.ts';

/** What a store keeps of one sign-in: plain data, for JSON. */
export interface StoredTokens {
  /** One more with each change. */
  version: number;
  /** Undefined after a sign-out. */
  tokens?: TokenSet | undefined;
  /** A refresh that was begun and whose answer is not here yet. */
  refreshing?: RefreshMark | undefined;
}

/** Marks that a refresh token is being sent, so that no other process sends it. */
export interface RefreshMark {
  /** Who sends it; another one with each sending. */
  by: string;
  /** When it was sent first, in milliseconds since the epoch. */
  since: number;
  /** Whether its sender has given up waiting for an answer. */
  lost?: boolean | undefined;
}

/**
 * Where tokens are kept, for all tabs or processes that use them. One change is atomic: that is all that the SDK needs to send each
 * refresh token once. Stores of the SDK: `memoryTokenStore`, `indexedDbTokenStore` (browser), `fileTokenStore` (Node).
 */
export interface TokenStore {
  /** @param key names the sign-in, such as your user's ID */
  read(key: string): Promise<StoredTokens | undefined>;
  /**
   * Replaces what is stored, if it still has the version `expected`; 0 means nothing stored. In SQL, one `insert ... on conflict
   * do nothing` or `update ... where version = expected`.
   * @returns whether it was replaced
   */
  compareAndSet(key: string, expected: number, next: StoredTokens): Promise<boolean>;
  /**
   * Runs the work while no other tab or process runs its own for the same key. The lock must last until the work has ended or its owner is
   * gone. Without a lock the others poll the store: they only get the result later.
   */
  lock?<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Keeps tokens as long as the process runs: for one process, and for tests. */
export function memoryTokenStore(): TokenStore {
  const kept = new Map<string, string>();
  const read = (key: string): StoredTokens | undefined => {
    const text = kept.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as StoredTokens);
  };
  return {
    read: async (key) => read(key),
    async compareAndSet(key, expected, next) {
      if ((read(key)?.version ?? 0) !== expected) return false;
      kept.set(key, JSON.stringify(next));
      return true;
    },
  };
}
