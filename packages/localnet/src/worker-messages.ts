import type { CommitmentDelays } from '@fan-api/solana-wire/local-network';
import type { GenesisProgram } from './genesis-program.ts';

/** The worker's data, from the main thread. */
export interface WorkerSetup {
  folder: string;
  programs: GenesisProgram[];
  /** Milliseconds. */
  slotDuration: number;
  delays: CommitmentDelays;
  /** Whether a test may drop blocks. */
  forkable: boolean;
}

/** From the main thread. A `connection` is the number of a WebSocket. */
export type ToWorker =
  | { kind: 'request'; id: number; text: string }
  | { kind: 'socket'; connection: number; text: string }
  | { kind: 'socketClosed'; connection: number }
  | { kind: 'stop' };

/** From the worker. An `answer` without text is that of a notification. */
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'answer'; id: number; text: string | undefined }
  | { kind: 'socket'; connection: number; text: string }
  | { kind: 'log'; level: 'warn' | 'error'; message: string }
  | { kind: 'stopped' };
