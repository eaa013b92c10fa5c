import type { PathName } from './paths/all.ts';
import type { Stretch } from './rounds.ts';

/** What a path must reach, as shares of CPU time. */
interface PathGoals {
  /** Of the floor. */
  floor: number;
  /** Of the peer, where it has the path. */
  peer?: number;
  /** Of the peer, with the signatures. */
  peerWithPool?: number;
}

export const PATH_GOALS: Record<PathName, PathGoals> = {
  exchange: { floor: 1.6, peer: 0.45, peerWithPool: 0.5 },
  refresh: { floor: 1.6, peer: 0.5 },
  userinfo: { floor: 1.3, peer: 0.55 },
  tickets: { floor: 1.5 },
  listings: { floor: 1.6 },
  claims: { floor: 1.6 },
};

/** Megabytes of one process under load. */
export const MEMORY_GOALS = { 'own database': 180, 'all embedded': 250 };
/** Seconds of a warm `npm start`. */
export const READY_GOAL = 2;
/** Statements from the authorize request to the code. */
export const SIGN_IN_GOAL = 12;
/** p99 at the largest size by that at the smallest. */
export const GROWTH_GOAL = 1.5;
/** Of the last quarter of a mixed load by the first: memory, and p50. */
export const FLAT_GOAL = 1.1;

/** The CPU time that is compared: with libuv's pool, which signs, or without it. */
export function comparedCpu({ cpu }: Pick<Stretch, 'cpu'>, withoutPool: boolean): number {
  return cpu.main + cpu.database + (withoutPool ? 0 : cpu.pool);
}
