const LAMPORTS_PER_SOL = 1_000_000_000n;

/** A price in lamports as fans read it: `1.5 SOL`, with the separators of their language. */
export function inSol(lamports: string, locale: string): string {
  const price = BigInt(lamports);
  const fraction = String(price % LAMPORTS_PER_SOL).padStart(9, '0');
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 9 });
  return `${format.format(`${price / LAMPORTS_PER_SOL}.${fraction}` as Intl.StringNumericLiteral)} SOL`;
}
