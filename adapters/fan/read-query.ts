import type { Context } from 'koa';
import { DomainError } from '../../src/errors.ts';

/**
 * The rule for the query of every operation: a parameter that the operation does not know is ignored; one that it knows may
 * be given once, as `name=value`. Given twice or as a list (`name[]=`, `name[0]=`) it is refused, since a part of what was
 * asked for would be lost.
 * @param known the parameters of the operation
 * @returns those that were given, or the DomainError `invalid_request` that names one
 */
export function readQuery(ctx: Context, known: readonly string[]): Record<string, string> | DomainError {
  // not ctx.URL, which is empty where the Host header is no host
  const parameters = new URLSearchParams(ctx.querystring);
  const given: Record<string, string> = {};
  for (const name of known) {
    const values = parameters.getAll(name);
    const asList = [...parameters.keys()].some((key) => key.startsWith(`${name}[`));
    if (values.length > 1 || asList) {
      return new DomainError('invalid_request', `${name} must be given once, as ${name}=value`);
    }
    if (values[0] !== undefined) given[name] = values[0];
  }
  return given;
}
