/** What a partner, its fans and a probe were told, call by call. */

export const OPERATIONS = ['sign-in', 'consent', 'exchange', 'refresh', 'tickets', 'listing', 'claim'] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface Call {
  operation: Operation | 'readyz' | 'healthz';
  /** On the clock of `performance`. */
  at: number;
  ms: number;
  /** Undefined: no answer. */
  status: number | undefined;
  /** Whether a 503 said when to come back. */
  saysWhen: boolean;
  /** What it said, or why there was no answer. */
  said: string;
  /** The port of the process. */
  port: number;
}

/** One grant, as its partner knows it. */
export interface Session {
  grantId: string;
  code: string;
  codeForm: Record<string, string>;
  accessToken: string;
  refreshToken: string;
  /** Why the partner has it no more. */
  lost?: string;
}

export interface Ledger {
  calls: Call[];
  sessions: Session[];
  /** Consents after which a fan had to begin again, with what they were told. */
  lostSignIns: string[];
  /** `transfer_id`s that were answered with 200. */
  claimed: string[];
  /** Other final answers to claims and listings, without what differs from answer to answer. */
  refused: string[];
  /** Claims that were never asked for again after an unknown outcome. */
  abandoned: number;
}

export function emptyLedger(): Ledger {
  return { calls: [], sessions: [], lostSignIns: [], claimed: [], refused: [], abandoned: 0 };
}

/** No answer, or an answer that is the service's fault. */
export function isBad({ status }: Pick<Call, 'status'>): boolean {
  return status === undefined || status >= 500;
}
