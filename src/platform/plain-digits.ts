const DIGIT = /\p{Nd}/u;

/**
 * Writes the decimal digits of every script (Unicode category Nd) as 0 to 9, as somebody types them whose keyboard has others: `٤٥٦` is
 * `456`. All else stays.
 */
export function plainDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)));
}

/** Unicode has the digits of a script in a row, from zero to nine; where rows follow each other, each has ten. */
function digitValue(digit: number): number {
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(digit - before - 1))) before += 1;
  return before % 10;
}
