/** One deliberate fault in the code. At least one of the tests named must fail with it. */
export interface Mutant {
  /** From the root of the project. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly text: string;
  readonly replacement: string;
  /** Test files or folders, from the root of the project. */
  readonly tests: readonly string[];
}

/** A fault of a file: the text, and what stands there instead. */
export type Fault = readonly [text: string, replacement: string];

/** The mutants of one file, all for the same tests. */
export function mutantsOf(file: string, tests: readonly string[], faults: readonly Fault[]): Mutant[] {
  return faults.map(([text, replacement]) => ({ file, text, replacement, tests }));
}
