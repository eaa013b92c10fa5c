/** The fault of a name, continuing "name …"; undefined for a valid name. */
export function nameFault(name: string): string | undefined {
  if (name.trim().length < 1 || name.length > 120) return 'must have 1 to 120 characters';
  return /\p{Cc}/u.test(name) ? 'must have no control characters' : undefined;
}
