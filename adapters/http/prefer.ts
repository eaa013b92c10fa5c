import type { Context } from 'koa';

/**
 * Whether a request asks for a preference that has no value. An unknown preference, or one with a value, is ignored.
 * @see RFC 7240 §2: names are compared without case, parameters after `;` do not count, and the first mention of a name counts
 */
export function prefers(ctx: Pick<Context, 'get'>, name: string): boolean {
  const given = ctx.get('Prefer');
  if (given === '') return false;
  const preferences = given.split(',').map((preference) => preference.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  const first = preferences.find((preference) => preference.split('=', 1)[0]?.trim() === name);
  return first !== undefined && /^[^=]*(=\s*(""\s*)?)?$/.test(first);
}
