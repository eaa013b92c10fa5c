/**
 * The SDK in a browser: tokens that all tabs of an origin share, and the sign-in by redirects.
 *
 * @module
 */
import type { AuthServer, SignInAttempt, SignInChoice, TokenSet } from './auth-server.ts';
import { CheckError } from './errors.ts';
import type { StoredTokens, TokenStore } from './token-store.ts';

const TABLE = 'tokens';

/**
 * Keeps tokens in IndexedDB, and lets one tab refresh at a time (Web Locks). Any script on your origin can read them: where you have a
 * server, keep refresh tokens there.
 * @param name of the database, one for each client
 */
export function indexedDbTokenStore(name = 'fan-api'): TokenStore {
  let opened: Promise<IDBDatabase> | undefined;
  async function transaction(mode: IDBTransactionMode): Promise<IDBTransaction> {
    opened ??= open(name).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return (await opened).transaction(TABLE, mode, { durability: 'strict' });
  }
  return {
    async read(key) {
      const found = (await transaction('readonly')).objectStore(TABLE).get(key) as IDBRequest<StoredTokens | undefined>;
      return settled(found);
    },
    async compareAndSet(key, expected, next) {
      const change = await transaction('readwrite');
      const table = change.objectStore(TABLE);
      const found = await settled(table.get(key) as IDBRequest<StoredTokens | undefined>);
      const isExpected = (found?.version ?? 0) === expected;
      if (isExpected) table.put(next, key);
      await finished(change);
      return isExpected;
    },
    lock: (key, work) => navigator.locks.request(`${name}:${key}`, work) as ReturnType<typeof work>,
  };
}

function open(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
  return settled(request);
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Other tabs see the change only after this. */
function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

const PREFIX = 'fan-api.sign-in.';

/** Sends the browser to the sign-in, and keeps what its callback must match in this tab. */
export async function redirectToSignIn(authServer: AuthServer, choice: SignInChoice): Promise<void> {
  const { url, attempt } = await authServer.startSignIn(choice);
  sessionStorage.setItem(`${PREFIX}${attempt.state}`, JSON.stringify(attempt));
  location.assign(url);
}

/**
 * Finishes a sign-in on the page of the redirect URI. The attempt is used up first, and the address is cleaned, so that a reload
 * sends no code twice. @returns undefined where the address is no callback
 * @throws CheckError `state` where this tab began no such sign-in @throws as `finishSignIn`
 */
export async function finishRedirect(authServer: AuthServer): Promise<TokenSet | undefined> {
  const callback = new URLSearchParams(location.search);
  const state = callback.get('state');
  if (state === null || !(callback.has('code') || callback.has('error'))) return undefined;
  history.replaceState(history.state, '', location.pathname + location.hash);
  const kept = sessionStorage.getItem(`${PREFIX}${state}`);
  sessionStorage.removeItem(`${PREFIX}${state}`);
  if (kept === null) throw new CheckError('state', 'This tab has begun no such sign-in.');
  return authServer.finishSignIn(callback, JSON.parse(kept) as SignInAttempt);
}
