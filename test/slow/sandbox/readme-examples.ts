import { readFileSync } from 'node:fs';

const README = new URL('../../../packages/sandbox/README.md', import.meta.url);

/** The examples of the README that are files, by name. */
export function readmeExamples(): Map<string, string> {
  const blocks = readFileSync(README, 'utf8').matchAll(/^```\w+ file=(?<name>\S+)\n(?<text>.*?)^```/gms);
  return new Map([...blocks].map(({ groups }) => [groups?.name ?? '', groups?.text ?? '']));
}
