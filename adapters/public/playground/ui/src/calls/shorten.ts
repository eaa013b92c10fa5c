/** Longer values, such as tokens and transactions, are shown by their beginning and end. */
const SHOWN_WHOLE = 90;
const BEGINNING = 18;
const END = 8;

/** A value that is too long to read, by its beginning, end and length. */
export function shorten(text: string): string {
  if (text.length <= SHOWN_WHOLE) return text;
  return `${text.slice(0, BEGINNING)}…${text.slice(-END)} (${text.length} characters)`;
}

/** A header value: the token of `Authorization` shortened, its scheme whole. */
export function shortenHeader(value: string): string {
  const [scheme, token] = /^(\S+) (\S+)$/.exec(value)?.slice(1) ?? [];
  return scheme !== undefined && token !== undefined ? `${scheme} ${shorten(token)}` : shorten(value);
}

/** A body for reading: JSON indented, a form with one field a line. @param whole false: long values shortened */
export function readableBody(body: string, type: string, whole: boolean): string {
  const value = whole ? (text: string) => text : shorten;
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return [...new URLSearchParams(body)].map(([name, text]) => `${name}=${value(text)}`).join('\n');
  }
  try {
    return JSON.stringify(
      JSON.parse(body),
      (_, member: unknown) => (typeof member === 'string' ? value(member) : member),
      2,
    );
  } catch {
    return whole ? body : body.split(/(\s+)/).map(shorten).join('');
  }
}
