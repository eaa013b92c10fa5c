/** A condition on a column: it has `text` somewhere in it, in small or capital letters. */
export function containing(text: string): { $ilike: string } {
  return { $ilike: `%${text.trim().replace(/[\\%_]/g, '\\$&')}%` };
}
