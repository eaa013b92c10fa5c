const LAMPORTS_PER_SOL = 1_000_000_000;

/** @throws Error for anything but a number of SOL with at most 9 decimals */
export function lamportsOf(sol: string): bigint {
  const [, whole = '', decimals = ''] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(sol.trim()) ?? [];
  if (whole === '') throw new Error('The price must be a number of SOL, such as 2 or 0.5.');
  return BigInt(whole) * BigInt(LAMPORTS_PER_SOL) + BigInt(decimals.padEnd(9, '0'));
}
