/**
 * A signed-in fan: an access token whenever one is needed, and each refresh token sent once, whatever tabs and processes share the store.
 *
 * Before a refresh a process writes a mark into the store, by compare-and-set: one wins, the others wait for its result. A mark whose
 * owner is gone, or has given up, means that the answer was lost. The service may have rotated the token then, and would take it for
 * stolen if it got it again, unless the client has a retry window. So it is sent again within that window only.
 *
 * @module
 */
import type { AuthServer, TokenSet } from './auth-server.ts';
import { CheckError, NoAnswerError, OAuthError, type SignInReason, SignInRequiredError } from './errors.ts';
import type { RefreshMark, StoredTokens, TokenStore } from './token-store.ts';
import { pause } from './transport.ts';

export interface SessionOptions {
  authServer: AuthServer;
  store: TokenStore;
  /** Names the sign-in in the store, such as your user's ID; `default` by default. */
  key?: string | undefined;
  /** An access token with fewer seconds left is refreshed before it is used; 10 by default. */
  spareSeconds?: number | undefined;
  /**
   * The retry window that is set for your client (0 by default, at most 30; the starter kit has it as `refresh_retry_window`): within it
   * a refresh without an answer is sent again. A larger value than your client's revokes grants. In browsers and Deno have one of 10.
   */
  retryWindowSeconds?: number | undefined;
  /**
   * Milliseconds after which a refresh that another process began is taken for lost, where the store has no lock; 15,000 by default. A
   * refresh is given up after ten seconds.
   */
  lostAfterMs?: number | undefined;
  /** A longer `Retry-After` (seconds) is not waited for, but reported; 15 by default. */
  maxRetryAfterSeconds?: number | undefined;
}

export interface AccessTokenChoice {
  /** One that the API has just refused: it is not returned again. */
  refused?: string | undefined;
  /** Ends the waiting, not a refresh, which others wait for too. */
  signal?: AbortSignal | undefined;
}

export interface Session {
  /** Keeps the tokens of a finished sign-in, in place of those before. */
  begin(tokens: TokenSet): Promise<void>;
  /** The tokens as they are kept, also expired ones; undefined where nobody is signed in. */
  tokens(): Promise<TokenSet | undefined>;
  /**
   * An access token that is good for a call.
   * @throws SignInRequiredError where access has ended @throws NoAnswerError @throws OAuthError where the service asks to come back later
   */
  accessToken(choice?: AccessTokenChoice): Promise<string>;
  /**
   * Refreshes now, or waits for a refresh that is under way.
   * @param scope narrows the scope of the new access token @throws as `accessToken`
   */
  refresh(scope?: string): Promise<TokenSet>;
  /** Forgets the tokens, then revokes them. @throws NoAnswerError where they could not be revoked; they are forgotten all the same */
  signOut(): Promise<void>;
}

/** Where the access tokens of calls come from: a session, or another source. */
export type TokenSource = Pick<Session, 'accessToken' | 'tokens'>;

const SPARE_SECONDS = 10;
const LOST_AFTER_MS = 15_000;
const MAX_ATTEMPTS = 3;
const MAX_RETRY_AFTER_SECONDS = 15;
const ASK_AGAIN_MS = 100;
const RESEND_AFTER_MS = 500;
/** Left unused of the retry window, for the time on the network and a clock that is slightly off. */
const WINDOW_MARGIN_MS = 2_000;

export function openSession(options: SessionOptions): Session {
  const { authServer, store, key = 'default' } = options;
  const spareMs = (options.spareSeconds ?? SPARE_SECONDS) * 1_000;
  const windowMs = (options.retryWindowSeconds ?? 0) * 1_000 - WINDOW_MARGIN_MS;
  const isFresh = (tokens: TokenSet, refused: string | undefined) =>
    Date.now() < tokens.expiresAt - spareMs && tokens.response.access_token !== refused;
  let flight: Promise<TokenSet> | undefined;

  /** Writes the next version. @returns it; undefined where another process has written meanwhile */
  async function write(before: StoredTokens, next: Pick<StoredTokens, 'tokens' | 'refreshing'>) {
    const written = { ...next, version: before.version + 1 };
    return (await store.compareAndSet(key, before.version, written)) ? written : undefined;
  }

  async function overwrite(tokens: TokenSet | undefined): Promise<StoredTokens | undefined> {
    for (;;) {
      const before = await store.read(key);
      if ((await write(before ?? { version: 0 }, { tokens })) !== undefined) return before;
    }
  }

  /** One refresh at a time within this process; callers whose token was refused meanwhile call again. */
  function renew(want: Want): Promise<TokenSet> {
    flight ??= insist(want).finally(() => {
      flight = undefined;
    });
    return flight;
  }

  /** Tries again where the service asks for it, or was not reached at all. */
  async function insist(want: Want): Promise<TokenSet> {
    for (let attempt = 1; ; attempt++) {
      try {
        const work = () => takeTurn(want);
        return await (store.lock ? store.lock(key, work) : work());
      } catch (error) {
        const seconds = secondsToWait(error, attempt);
        if (attempt >= MAX_ATTEMPTS || seconds > (options.maxRetryAfterSeconds ?? MAX_RETRY_AFTER_SECONDS)) throw error;
        await pause(seconds * 1_000);
      }
    }
  }

  async function takeTurn({ refused, scope }: Want): Promise<TokenSet> {
    let watched: { by: string; from: number } | undefined;
    for (;;) {
      const stored = await store.read(key);
      if (stored?.tokens === undefined) throw new SignInRequiredError('signed_out');
      const { tokens, refreshing } = stored;
      if (isFresh(tokens, refused)) return tokens;
      if (tokens.response.refresh_token === undefined) throw new SignInRequiredError('no_refresh_token');
      if (refreshing !== undefined && refreshing.by !== watched?.by) {
        watched = { by: refreshing.by, from: performance.now() };
      }
      if (refreshing !== undefined && !isLost(refreshing, watched?.from ?? 0)) {
        await pause(ASK_AGAIN_MS);
        continue;
      }
      if (refreshing !== undefined && !mayResend(refreshing)) throw new SignInRequiredError('outcome_unknown');
      warnWithoutWindow(tokens, options);
      // before the mark: what fails here has sent no token
      await authServer.metadata();
      const marked = await write(stored, { tokens, refreshing: markOf(refreshing?.since ?? Date.now()) });
      if (marked !== undefined) return send(marked, tokens, { scope, inDoubt: refreshing !== undefined });
    }
  }

  /** A caller that holds the lock knows that the process that wrote the mark is gone. */
  function isLost(mark: RefreshMark, watchedFrom: number): boolean {
    const waited = performance.now() - watchedFrom;
    return mark.lost === true || store.lock !== undefined || waited > (options.lostAfterMs ?? LOST_AFTER_MS);
  }

  const mayResend = ({ since }: RefreshMark) => Date.now() - since < windowMs;

  /** @param inDoubt the token was sent before, and the answer lost: only an answer that settles that removes the mark */
  async function send(
    marked: StoredTokens,
    tokens: TokenSet,
    { scope, inDoubt }: { scope: string | undefined; inDoubt: boolean },
  ): Promise<TokenSet> {
    let current = marked;
    for (let isInDoubt = inDoubt; ; isInDoubt = true) {
      const since = current.refreshing?.since ?? 0;
      try {
        const choice = { scope, sub: tokens.claims?.sub };
        const next = carriedOver(tokens, await authServer.refresh(tokens.response.refresh_token ?? '', choice));
        // where this fails, the fan has signed out or in again meanwhile, and that counts
        if ((await write(current, { tokens: next })) === undefined) return (await read()) ?? next;
        return next;
      } catch (error) {
        const isSettled = hasEnded(error) || !(isInDoubt || isLostAnswer(error));
        if (isSettled) throw await afterRefusal(current, tokens, error);
        const mark = markOf(since);
        const isOver = !mayResend(mark);
        const written = await write(current, { tokens, refreshing: { ...mark, lost: isOver } });
        if (isOver || written === undefined) throw new SignInRequiredError('outcome_unknown', error);
        current = written;
        await pause(RESEND_AFTER_MS);
      }
    }
  }

  /** The service has answered, or certainly got no request. @returns the error for the caller */
  async function afterRefusal(marked: StoredTokens, tokens: TokenSet, error: unknown): Promise<unknown> {
    await write(marked, { tokens: hasEnded(error) ? undefined : tokens });
    return hasEnded(error) ? new SignInRequiredError('refused', error) : error;
  }

  const read = async () => (await store.read(key))?.tokens;

  async function current(refused: string | undefined): Promise<TokenSet> {
    const stored = await store.read(key);
    if (stored?.tokens === undefined) throw new SignInRequiredError('signed_out');
    const { tokens } = stored;
    if (isFresh(tokens, refused)) return tokens;
    const isUsable = Date.now() < tokens.expiresAt && tokens.response.access_token !== refused;
    try {
      const renewed = await renew({ refused });
      // a refresh that was under way for another reason
      return renewed.response.access_token === refused ? await renew({ refused }) : renewed;
    } catch (error) {
      // an access token that has not expired is used, unless access has ended
      const isOver = error instanceof SignInRequiredError && OVER.includes(error.reason);
      if (isUsable && !isOver) return tokens;
      throw error;
    }
  }

  return {
    async begin(tokens) {
      warnWithoutWindow(tokens, options);
      await overwrite(tokens);
    },
    tokens: read,
    async accessToken({ refused, signal } = {}) {
      return (await orAborted(current(refused), signal)).response.access_token;
    },
    async refresh(scope) {
      // one that is under way asks for the whole scope
      if (scope !== undefined) await flight?.catch(() => undefined);
      return renew({ refused: (await read())?.response.access_token, scope });
    },
    async signOut() {
      const before = await overwrite(undefined);
      const response = before?.tokens?.response;
      const token = response?.refresh_token ?? response?.access_token;
      if (token !== undefined) await authServer.revoke(token);
    },
  };
}

/** The purpose of a refresh: an access token other than the refused one, perhaps with a narrower scope. */
interface Want {
  refused?: string | undefined;
  scope?: string | undefined;
}

let hasWarned = false;

/** Browsers and Deno send a POST again whose kept connection broke, so the service may get it twice. */
function warnWithoutWindow({ response }: TokenSet, { retryWindowSeconds = 0 }: SessionOptions): void {
  const repeats = ['document', 'WorkerGlobalScope', 'Deno'].some((name) => name in globalThis);
  if (hasWarned || !repeats || retryWindowSeconds > 0 || response.refresh_token === undefined) return;
  hasWarned = true;
  console.warn(
    '@fan-api/sdk: browsers and Deno send a refresh again by themselves when its connection breaks, and the service takes that for theft: the fan must sign in again. Set a retry window of 10 seconds where your client is registered, and retryWindowSeconds: 10 in openSession().',
  );
}

/** With these reasons an access token is unusable even before it expires. */
const OVER: readonly SignInReason[] = ['refused', 'signed_out'];

/** Whether the refresh token has ended, or its answer cannot be trusted. */
function hasEnded(error: unknown): boolean {
  return error instanceof CheckError || (error instanceof OAuthError && error.error === 'invalid_grant');
}

/** Infinite where a repetition would have the same result. */
function secondsToWait(error: unknown, attempt: number): number {
  if (error instanceof OAuthError) return error.retryAfter ?? Number.POSITIVE_INFINITY;
  return error instanceof NoAnswerError && !error.sent ? 0.25 * 2 ** attempt : Number.POSITIVE_INFINITY;
}

const markOf = (since: number): RefreshMark => ({ by: crypto.randomUUID(), since });

/** A server or gateway error without `Retry-After` counts as lost: it does not say what was done. */
function isLostAnswer(error: unknown): boolean {
  if (error instanceof NoAnswerError) return error.sent;
  return error instanceof OAuthError && error.status >= 500 && error.retryAfter === undefined;
}

/** Keeps the claims where the answer of a refresh has no ID token. */
function carriedOver(before: TokenSet, next: TokenSet): TokenSet {
  return next.claims === undefined && before.claims !== undefined ? { ...next, claims: before.claims } : next;
}

/** @throws what the signal was aborted with */
function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
