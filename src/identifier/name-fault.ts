/** What is wrong with the name of a partner, a client, a person or a token; undefined for a good name. Continues "name …". */
export function nameFault(name: string): string | undefined {
  if (name.trim().length < 1 || name.length > 120) return 'must have 1 to 120 characters';
  return /\p{Cc}/u.test(name) ? 'must have no control characters' : undefined;
}
