/** A text cut to a length that PostgreSQL's text and JSON can hold: without NUL and without lone surrogates. */
export function storableText(text: string, maxLength: number): string {
  return text.replaceAll('\0', ' ').toWellFormed().slice(0, maxLength).toWellFormed();
}
