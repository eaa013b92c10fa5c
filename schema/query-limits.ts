import { DomainError } from '../src/platform/errors.ts';
import { type PageArguments, pageSizeOf } from './lists.ts';

/** The complexity plugin's multiplier of a list whose length is not known. */
const LIST_MULTIPLIER = 10;

interface QueryLimits {
  depth: number;
  breadth: number;
  complexity: number;
}

/** The options of the complexity plugin: a field with pages counts as often as its page may have rows. */
export function queryLimits<Call>(limit: (call: Call) => QueryLimits) {
  return {
    limit,
    fieldComplexity: (args: PageArguments, _call: unknown, field: { args: readonly { name: string }[] }) =>
      field.args.some(({ name }) => name === 'first')
        ? { field: 1, multiplier: pageSizeOf(args) / LIST_MULTIPLIER }
        : 1,
    complexityError: (kind: string) =>
      new DomainError('invalid_request', `The query is too large: its ${kind.toLowerCase()} is over the limit.`),
  };
}
