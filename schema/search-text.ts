/** A condition on a column: it has `text` somewhere in it, in small or capital letters. */
export function containing(text: string): { $ilike: string } {
  // PostgreSQL's text holds no NUL, so that a text with one is found nowhere
  const literal = text
    .trim()
    .replaceAll('\0', '\ufffd')
    .replace(/[\\%_]/g, '\\$&');
  return { $ilike: `%${literal}%` };
}
