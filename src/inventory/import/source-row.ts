import { MAX_LINE_BYTES } from './line-splitter.ts';

/** Why a line is not a row. Codes are stable, as those of `ROW_REASONS`. */
export const LINE_FAULTS = {
  line_too_long: `The line is longer than ${MAX_LINE_BYTES / 1024} KiB.`,
  invalid_utf8: 'The line is not valid UTF-8.',
  invalid_json: 'The line is not a JSON object.',
  invalid_csv: 'The line has too few cells, or a quote that is not closed. A row is one line.',
} as const;
export type LineFault = keyof typeof LINE_FAULTS;

/** A line of the file, read as a row. */
export interface SourceRow {
  line: number;
  /** The line itself; of one that is not UTF-8, read as Latin-1. */
  text: string;
  /** Undefined where there is a fault. */
  row?: unknown;
  fault?: LineFault;
  /** What is wrong, where the fault alone does not say it. */
  message?: string;
}
