import { DomainError } from '../../platform/errors.ts';
import { OK, operationsNamed } from './operations.ts';

/** A filter of requests; fields that are left out do not filter. */
export interface RequestFilter {
  /** An operation or a group of them (`operations.ts`). */
  operation?: string | undefined;
  /** `ok`, `failed` (all that is not `ok`), or the stable code of a refusal. */
  outcome?: string | undefined;
  /** A status such as `404`, or a class such as `4xx`. */
  status?: string | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** Every outcome but `ok`. */
export const FAILED = 'failed';

const STATUS = /^[1-5](?:\d\d|xx)$/;
const CODE = /^[a-z][a-z0-9_]{0,59}$/;

/** The filter as values of SQL; null does not filter. */
export interface Kinds {
  operations: readonly string[] | null;
  outcome: string | null;
  lowestStatus: number | null;
  highestStatus: number | null;
}

/**
 * Checks a filter.
 * @returns undefined where it allows every kind of request
 * @throws DomainError `invalid_request` that names what is wrong
 */
export function kindsOf({ operation, outcome, status }: RequestFilter): Kinds | undefined {
  if (operation === undefined && outcome === undefined && status === undefined) return undefined;
  const operations = operation === undefined ? null : operationsNamed(operation);
  if (operations?.length === 0) throw invalid('operation must be the name of an operation or of a group of them.');
  if (outcome !== undefined && !CODE.test(outcome)) throw invalid('outcome must be ok, failed or an error code.');
  if (status !== undefined && !STATUS.test(status)) throw invalid('status must be a number such as 404, or 4xx.');
  return {
    operations,
    outcome: outcome ?? null,
    lowestStatus: status === undefined ? null : Number(status.replace('xx', '00')),
    highestStatus: status === undefined ? null : Number(status.replace('xx', '99')),
  };
}

/** The condition on a table of requests or of their counts, for the values of `kindValues` from `$first` on. */
export function kindCondition(table: string, first: number): string {
  const [operations, outcome, lowest, highest] = ['text[]', 'text', 'int', 'int'].map(
    (type, offset) => `$${first + offset}::${type}`,
  );
  return `(${operations} is null or ${table}.operation = any(${operations}))
    and (${outcome} is null or ${table}.outcome = ${outcome} or ${outcome} = '${FAILED}' and ${table}.outcome <> '${OK}')
    and (${lowest} is null or ${table}.status between ${lowest} and ${highest})`;
}

export function kindValues({ operations, outcome, lowestStatus, highestStatus }: Kinds): unknown[] {
  return [operations, outcome, lowestStatus, highestStatus];
}

function invalid(message: string): DomainError {
  return new DomainError('invalid_request', message);
}
