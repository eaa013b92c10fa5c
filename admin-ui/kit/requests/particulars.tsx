import { Facts } from '../parts/facts.tsx';

/** The details of an entry as names and values. */
export function Particulars({ of }: { of: unknown }) {
  if (typeof of !== 'object' || of === null) return <span>{asText(of)}</span>;
  const entries = Object.entries(of).filter(([, value]) => value !== null && value !== '');
  return <Facts of={Object.fromEntries(entries.map(([name, value]) => [wordsOf(name), asText(value, name)]))} />;
}

function asText(value: unknown, name = ''): string {
  if (name === 'durationMs') return `${String(value)} ms`;
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value.join(', ') || 'none';
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

/** `permitAddress` and `message_hash` become "permit address" and "message hash". */
function wordsOf(name: string): string {
  return name
    .replace(/Ms$/, '')
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
}
