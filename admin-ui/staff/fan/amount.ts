/** A price in lamports as `2 SOL`, `0.5 SOL`. */
export function inSol(lamports: string): string {
  const digits = lamports.padStart(10, '0');
  const fraction = digits.slice(-9).replace(/0+$/, '');
  const whole = BigInt(digits.slice(0, -9)).toLocaleString('en');
  return `${whole}${fraction === '' ? '' : `.${fraction}`} SOL`;
}
