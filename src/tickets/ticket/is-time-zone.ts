const LISTED: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);

/** `Area/Place`, which leaves out offsets such as `+01:00`. */
const NAME = /^[A-Z][A-Za-z_]*(?:\/[A-Z][A-Za-z0-9_+-]*){1,2}$/;

/** Whether a name is a time zone of the IANA database. `Intl` accepts all names of a zone (`Asia/Kolkata`), but lists only one. */
export function isTimeZone(name: string): boolean {
  if (LISTED.has(name)) return true;
  if (name.length > 64 || !NAME.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
