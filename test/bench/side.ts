import type { Load } from './load.ts';
import type { PathName } from './paths/all.ts';

/** One of those that are measured in turns: our server, the floor, the peer. */
export interface Side {
  name: 'ours' | 'floor' | 'peer';
  /** Of its HTTP server. */
  origin: string;
  /** Its process; its CPU time is that of the whole tree. */
  pid: number;
  /** The first process of its PostgreSQL. */
  database: number;
  /** @param count how many requests, where each may be sent once. @returns undefined where the side does not have the path */
  prepare(path: PathName, count: number): Promise<Load | undefined>;
  stop(): Promise<void>;
}
