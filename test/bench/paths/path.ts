import type { Load } from '../load.ts';
import type { Stage } from '../stage/stage.ts';

/** One of the service's paths that are measured. */
export interface Path {
  title: string;
  /** Requests of a stretch. */
  requests: number;
  /** In flight. */
  connections: number;
  /** Whether libuv's pool is left out of what is compared: it does the RSA signatures, which are the same everywhere. */
  withoutPool: boolean;
  /** Prepares requests. @param count how many, where each may be sent once */
  prepare(stage: Stage, count: number): Promise<Load>;
}
