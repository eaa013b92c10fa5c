import type { CheckVerdict } from '../../entities/go-live-check.ts';

/** Seconds without another request after which an app is done with a sign-in. The partner may also end the check (`endCheck`). */
export const QUIET_SECONDS = 10;
/** Seconds for which the API refuses calls after a 429. */
export const RETRY_AFTER_SECONDS = 3;

/** A request to a run's address, without its secrets. */
export type CheckEvent = { at: Date } & (
  | { kind: 'authorize'; facts: { nonce: boolean } }
  | { kind: 'authorize_refused'; facts: { message: string } }
  /** `refused` says why; null where tokens were issued. */
  | { kind: 'exchange'; facts: { refused: string | null } }
  | { kind: 'refresh'; facts: { generation: number; repeated: boolean; refused: string | null } }
  | { kind: 'jwks'; facts: Record<string, never> }
  | { kind: 'userinfo'; facts: { generation: number } }
  | { kind: 'api'; facts: { path: string; generation: number; status: number } }
  /** A listing was answered: SHA-256 of each message in base64url, and whether it was changed. */
  | { kind: 'listing'; facts: { messages: string[]; tampered: boolean } }
  /** A transaction was sent to the run's RPC address. */
  | { kind: 'sent'; facts: { message: string } }
);

export type CheckEventKind = CheckEvent['kind'];
export type EventOf<Kind extends CheckEventKind> = Extract<CheckEvent, { kind: Kind }>;

export interface Finding {
  verdict: CheckVerdict;
  /** For the sheet. */
  seen: string;
}

/** What the ordinary sign-in of the run has shown that the app does. */
export interface Habits {
  /** It used an access token. */
  uses: boolean;
  /** It read userinfo and called the API after that. */
  callsAfterUserinfo: boolean;
}

/** What a check is judged by. */
export interface Watched {
  /** Oldest first. */
  events: readonly CheckEvent[];
  endedAt: Date | null;
  doneAt: Date | null;
  now: Date;
  /** Undefined until the ordinary sign-in has passed. */
  habits: Habits | undefined;
  /** When the app read the run's keys, oldest first, in all checks. */
  keysRead: readonly Date[];
}

export const failed = (seen: string): Finding => ({ verdict: 'failed', seen });
export const passed = (seen: string): Finding => ({ verdict: 'passed', seen });
export const advice = (seen: string): Finding => ({ verdict: 'advice', seen });
export const notObserved = (seen: string): Finding => ({ verdict: 'not_observed', seen });

export function eventsOf<Kind extends CheckEventKind>({ events }: Watched, kind: Kind): EventOf<Kind>[] {
  return events.filter((event): event is EventOf<Kind> => event.kind === kind);
}

/** Where an access token or refresh token was used after a moment. */
export function usesAfter(watched: Watched, from: Date): CheckEvent[] {
  return watched.events.filter(
    ({ kind, at }) => (kind === 'api' || kind === 'userinfo' || kind === 'refresh') && at >= from,
  );
}

/** Judges by `conclude` once nothing more is to be expected: after a time of quiet, or when the partner has ended the check. */
export function afterQuiet(watched: Watched, since: Date, conclude: () => Finding): Finding {
  const { doneAt, endedAt, now } = watched;
  const quiet = since.getTime() + QUIET_SECONDS * 1000;
  if ((doneAt !== null && doneAt >= since) || (endedAt ?? now).getTime() >= quiet) return conclude();
  if (endedAt !== null) {
    return notObserved(
      `The check was ended within ${QUIET_SECONDS} seconds, before a late call could show. Repeat it.`,
    );
  }
  return { verdict: 'watching', seen: `Nothing wrong so far. Watching for ${QUIET_SECONDS} seconds of quiet.` };
}

/** The finding before the first request of a kind: open while it can still arrive. */
export function stillOpen(watched: Watched, waitsFor: string, missing: string): Finding {
  const over = watched.doneAt !== null || watched.endedAt !== null;
  return over ? notObserved(missing) : { verdict: 'open', seen: waitsFor };
}

/** `2.4 s`, or `less than 0.1 s` */
export function secondsBetween(from: Date, to: Date): string {
  const seconds = (to.getTime() - from.getTime()) / 1000;
  return seconds < 0.1 ? 'less than 0.1 s' : `${seconds.toFixed(1)} s`;
}

/** The name of a token's use in a sheet. */
export function nameOf(event: CheckEvent): string {
  if (event.kind === 'api') return event.facts.path;
  return event.kind === 'refresh' ? 'a refresh' : event.kind;
}

export function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}
