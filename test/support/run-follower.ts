import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TicketLine } from '../../src/inventory/feed/ticket-line.ts';
import { CHILD_ENV } from './child-env.ts';

export interface Follower {
  child: ChildProcess;
  /** Every line that it has written so far. */
  lines: TicketLine[];
  errors(): string;
  /** @returns its exit code; null after a signal that it could not catch */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** `npm run inventory -- follow`, in a process of its own. @param onLine called with each line as it comes */
export function runFollower(
  words: readonly string[],
  env: Record<string, string>,
  onLine: (line: TicketLine) => void = () => undefined,
): Follower {
  const child = spawn(process.execPath, ['adapters/commands/inventory.ts', 'follow', ...words], {
    env: { ...CHILD_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: TicketLine[] = [];
  let errors = '';
  child.stderr.on('data', (part) => {
    errors += part;
  });
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as TicketLine;
    lines.push(line);
    onLine(line);
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  return {
    child,
    lines,
    errors: () => errors,
    async end(signal) {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}
