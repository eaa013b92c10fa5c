import { createInterface } from 'node:readline/promises';

/** The demo speaks to the person who runs it. */

export function step(text: string): void {
  process.stdout.write(`\n> ${text}\n`);
}

export function say(text: string): void {
  process.stdout.write(`  ${text}\n`);
}

/** A line that the person types. */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(`  ${question}`)).trim();
  } finally {
    terminal.close();
  }
}

export function fail(text: string): never {
  process.stderr.write(`\n${text}\n`);
  process.exit(1);
}
