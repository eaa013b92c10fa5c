/** The demo speaks to the person who runs it. */

export function step(text: string): void {
  process.stdout.write(`\n> ${text}\n`);
}

export function say(text: string): void {
  process.stdout.write(`  ${text}\n`);
}

export function fail(text: string): never {
  process.stderr.write(`\n${text}\n`);
  process.exit(1);
}
