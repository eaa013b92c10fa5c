import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import type { FloorDescription } from '../floors/describe-floor.ts';
import type { Load } from '../load.ts';
import type { PathName } from '../paths/all.ts';

/** What the bench asks of the process that prepares requests. */
export type Asked = { id: number } & (
  | { what: 'open'; env: Record<string, string>; kit: StarterKit }
  | { what: 'prepare'; path: PathName; requests: number; forFloor: boolean }
  | { what: 'describe floor' }
);

/** The answer to `open`. */
export interface Opened {
  databaseUrl: string;
  /** Process of a connection to the database. */
  backend: number;
}

/** The answers to these. */
export type Answer = Opened | Load | FloorDescription;
