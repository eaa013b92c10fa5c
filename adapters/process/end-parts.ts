/** A part of a process that has to end when the process stops. */
export interface Part {
  /** For the log. */
  name: string;
  end(): Promise<unknown>;
}

/**
 * Ends parts one after the other. One that fails is left behind; one that hangs holds the others up until the deadline only.
 * @param deadline the end of the time that all have together
 * @returns the names of those that have not ended
 */
export async function endParts(parts: readonly Part[], deadline: AbortSignal): Promise<string[]> {
  const over = new Promise<'over'>((resolve) => {
    deadline.addEventListener('abort', () => resolve('over'), { once: true });
  });
  const left: string[] = [];
  for (const { name, end } of parts) {
    const outcome = deadline.aborted ? 'over' : await Promise.race([outcomeOf(end), over]);
    if (outcome !== 'ended') left.push(name);
  }
  return left;
}

async function outcomeOf(end: () => Promise<unknown>): Promise<'ended' | 'failed'> {
  return end().then(
    () => 'ended',
    () => 'failed',
  );
}
