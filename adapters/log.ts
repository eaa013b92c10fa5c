import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { describeError, type LoggedError } from './describe-error.ts';

/** More than this of a list helps nobody. */
const LONGEST_LIST = 20;

type Scalar = string | number | boolean | null | undefined;
type LoggedValue = Scalar | Scalar[] | LoggedError;

/**
 * The log of a process: JSON lines, on standard output unless told otherwise. A field is a plain value, a list of them, or
 * an error. Of any other object only the kind is written: nobody can know what a library's object holds.
 */
export function createLog(level: string, to: DestinationStream = destination(1)): Logger {
  return pino(
    {
      level,
      formatters: {
        log: (fields) => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, loggable(value)])),
      },
      // `formatters.log` has described it already; the default would copy its fields once more
      serializers: { err: (described: unknown) => described },
    },
    to,
  );
}

function loggable(value: unknown): LoggedValue {
  if (value instanceof Error) return describeError(value);
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map(scalar);
  return scalar(value);
}

function scalar(value: unknown): Scalar {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'undefined':
      return value;
    case 'object':
      if (value === null) return null;
      return value instanceof Date ? value.toJSON() : `[${value.constructor?.name ?? 'Object'}]`;
    default:
      return typeof value === 'bigint' ? String(value) : `[${typeof value}]`;
  }
}

/** Where the log of a command goes: its standard output has nothing but its result. */
export function standardError(): DestinationStream {
  return destination(2);
}
