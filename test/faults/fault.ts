import type { Operation } from './drive/ledger.ts';
import type { Traffic } from './drive/traffic.ts';
import type { Stand, StandOptions } from './stand/stand.ts';

/** One row of the table. */
export interface Fault {
  name: string;
  /** What it can hit; the others must go on as if nothing were. */
  hits: 'everything' | 'nothing' | readonly Operation[];
  /** What `/readyz` must say before it ends; `never`: it says no for as long as it likes. */
  ready: 'yes' | 'no' | 'either' | 'never';
  /** Whether a process ends, so that its probes fail. */
  stops?: boolean;
  /** Whether calls may end without an answer, because their process was ended by force. */
  unanswered?: boolean;
  stand?: StandOptions;
  /** Every how many claims without an answer one is never asked for again. */
  abandonEvery?: number;
  /** How long it lasts. */
  holdMs: number;
  /** How soon after its end all must be well; 20 s if omitted. */
  wholeWithinMs?: number;
  /** Why it can't be tried on this machine. */
  skip?(): Promise<string | undefined>;
  inject?(stand: Stand, traffic: Traffic): Promise<void>;
  /** Runs again and again while it lasts. */
  pulse?: { everyMs: number; run(stand: Stand, traffic: Traffic): Promise<void> };
  heal?(stand: Stand, traffic: Traffic): Promise<void>;
}

/** What was seen of it. */
export interface Outcome {
  name: string;
  heldSeconds: number;
  /** Calls that began while it lasted. */
  during: { served: number; refused: number; unavailable: number; internal: number; unanswered: number };
  /** Of these, the slowest, in seconds. */
  slowest: number;
  /** Seconds from its end to the first success of every operation, and to the end of the last failure. */
  firstSuccess: number | undefined;
  whole: number | undefined;
  /** When `/readyz` first said no, after its begin, and yes again, after its end, in seconds. */
  notReadyAfter: number | undefined;
  readyAfter: number | undefined;
  /** What was compared. */
  judged: { grants: number; claims: number; calls: number };
  notes: string[];
  problems: string[];
}
