const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `1 day and 2 hours`: the two largest units. */
export function inWords(seconds: number): string {
  let left = seconds;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`);
  }
  return parts.slice(0, 2).join(' and ');
}

/** How far the clock of a sandbox client is ahead, as a sentence. */
export function clockSentence(aheadSeconds: number): string {
  return aheadSeconds === 0 ? 'The clock is the real one.' : `The clock is ${inWords(aheadSeconds)} ahead.`;
}
