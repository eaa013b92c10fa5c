import type { Failure } from '../../entities/simulation.ts';
import type { Operation } from '../../record/activity/operation-texts.ts';
import { labelOf } from '../../record/activity/operations.ts';

/**
 * The failures that a sandbox client can bring about (D-300): armed from outside, met by the client's next call, and handled by the
 * code that handles the real ones. `arm-failure.ts` arms, `meet-failure.ts` takes one per call, `bring-about.ts` makes it happen.
 *
 * @module
 */

/** `call`: met by a number of calls. `state`: holds for every call until it ends. */
interface FailureKind {
  /** A few words, for lists. */
  title: string;
  /** A sentence: what happens. */
  says: string;
  lasts: 'call' | 'state';
  /** The calls that can meet it. */
  operations: readonly Operation[];
  /** What `seconds` means for it; absent where it means nothing. */
  seconds?: { says: string; usual: number; least: number; most: number };
}

const TOKEN = ['token.exchange', 'token.refresh'] as const;
const CHAIN = ['listings.sign', 'claims.execute'] as const;
const WITH_TOKEN = ['tickets.list', ...CHAIN, 'wallet.read', 'userinfo.read'] as const;
const RETRY_AFTER = { says: 'The `Retry-After` of the answer.', usual: 2, least: 1, most: 600 };

export const FAILURE_KINDS = {
  consent_refused: {
    title: 'Consent refused',
    says: 'The fan refuses: the authorize request comes back with `access_denied`.',
    lasts: 'call',
    operations: ['authorize.start'],
  },
  session_lost: {
    title: 'Session lost',
    says: 'The sign-in is over as soon as it starts: the fan sees a page that says so, and no callback comes.',
    lasts: 'call',
    operations: ['authorize.start'],
  },
  code_expired: {
    title: 'Code expired',
    says: 'The authorization code expires just before it is exchanged.',
    lasts: 'call',
    operations: ['token.exchange'],
  },
  code_used: {
    title: 'Code used',
    says: 'Somebody else exchanges the authorization code just before you do. Its grant ends.',
    lasts: 'call',
    operations: ['token.exchange'],
  },
  grant_narrowed: {
    title: 'Grant narrowed',
    says: 'The fan turns off the action that the call needs, just before it.',
    lasts: 'call',
    operations: ['tickets.list', ...CHAIN, 'wallet.read'],
  },
  grant_revoked: {
    title: 'Grant revoked',
    says: 'The fan ends the grant just before the call.',
    lasts: 'call',
    operations: [...WITH_TOKEN, 'token.refresh'],
  },
  refresh_reuse: {
    title: 'Refresh token reused',
    says: 'Somebody else refreshes twice with your refresh token just before you do. The family and its grant end.',
    lasts: 'call',
    operations: ['token.refresh'],
  },
  refresh_answer_lost: {
    title: 'Refresh answer lost',
    says: 'The refresh token rotates, and the connection breaks before the answer.',
    lasts: 'call',
    operations: ['token.refresh'],
  },
  key_rotation: {
    title: 'Key rotation now',
    says: 'Your next tokens are signed by a new key, which is in the JWKS at once.',
    lasts: 'state',
    operations: TOKEN,
  },
  jwks_stale: {
    title: 'JWKS stale',
    says: 'Your next tokens are signed by a new key, which the JWKS shows only later.',
    lasts: 'state',
    operations: TOKEN,
    seconds: { says: 'How long the JWKS lacks the key.', usual: 30, least: 1, most: 300 },
  },
  clock_ahead: {
    title: 'Clock 2 minutes ahead',
    says: 'Your tokens are made and checked by a clock that is 2 minutes ahead.',
    lasts: 'state',
    operations: TOKEN,
  },
  clock_behind: {
    title: 'Clock 2 minutes behind',
    says: 'Your tokens are made and checked by a clock that is 2 minutes behind.',
    lasts: 'state',
    operations: TOKEN,
  },
  rate_limited: {
    title: 'Too many requests (429)',
    says: 'The call is refused with 429 and `Retry-After`. Nothing is done.',
    lasts: 'call',
    operations: [...TOKEN, ...WITH_TOKEN],
    seconds: RETRY_AFTER,
  },
  unavailable: {
    title: 'Unavailable (503)',
    says: 'The call is refused with 503 and `Retry-After`. Nothing is done.',
    lasts: 'call',
    operations: [...TOKEN, ...WITH_TOKEN],
    seconds: RETRY_AFTER,
  },
  slow_answer: {
    title: 'Slow answer',
    says: 'The call waits before it is done and answered.',
    lasts: 'call',
    operations: ['authorize.start', ...TOKEN, ...WITH_TOKEN],
    seconds: { says: 'How long it waits.', usual: 10, least: 1, most: 60 },
  },
  cluster_down: {
    title: 'Cluster down',
    says: 'The Solana cluster can’t be reached during the call.',
    lasts: 'call',
    operations: CHAIN,
  },
  blockhash_expired: {
    title: 'Blockhash expired',
    says: 'The cluster no longer accepts the blockhash of your transactions.',
    lasts: 'call',
    operations: CHAIN,
  },
  claim_answer_lost: {
    title: 'Claim landed, answer lost',
    says: 'The claim is done, and the connection breaks before the answer.',
    lasts: 'call',
    operations: ['claims.execute'],
  },
  listing_sold: {
    title: 'Listing sold meanwhile',
    says: 'The chain shows the ticket in the wallet of another buyer.',
    lasts: 'call',
    operations: CHAIN,
  },
} as const satisfies Record<Failure, FailureKind>;

/** The entry of one failure in `FAILURE_KINDS`. */
export function failureKind(failure: Failure): FailureKind {
  return FAILURE_KINDS[failure];
}

/** Seconds of `clock_ahead` and `clock_behind`. */
export const CLOCK_SKEW = 120;

/** A failure as people choose and arm it. */
export interface ShownFailureKind {
  failure: Failure;
  /** A few words, for lists. */
  title: string;
  /** A sentence: what happens. */
  says: string;
  /** Whether it holds for every call until it ends, and not for a number of calls. */
  isState: boolean;
  /** The calls that can meet it, each as `armFailure` and as the API description names it. */
  calls: { operation: Operation; label: string }[];
  /** What `seconds` means, and its usual and greatest value; null where it means nothing. */
  seconds: { says: string; usual: number; most: number } | null;
}

/** The description of a failure for people who arm it. */
export function shownKind(failure: Failure): ShownFailureKind {
  const { title, says, lasts, operations, seconds = null } = failureKind(failure);
  return {
    failure,
    title,
    says,
    isState: lasts === 'state',
    calls: operations.map((operation) => ({ operation, label: labelOf(operation) })),
    seconds,
  };
}
