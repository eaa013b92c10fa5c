import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { describeError, type LoggedError } from './describe-error.ts';
import { tracing } from './telemetry/tracing.ts';

const LONGEST_LIST = 20;

type Scalar = string | number | boolean | null | undefined;
type LoggedValue = Scalar | Scalar[] | LoggedError;

/**
 * The log of a process: JSON lines, by default on standard output. A field is a plain value, a list of them, or an error. Of
 * any other object only the class is written, because a library's object may hold secrets.
 */
export function createLog(level: string, to: DestinationStream = destination(1)): Logger {
  return pino(
    {
      level,
      mixin: () => ({ ...tracing()?.ids() }),
      formatters: {
        log: (fields) => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, loggable(value)])),
      },
      // `formatters.log` has described it already
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

/** For the log of a command, whose standard output has only its result. */
export function standardError(): DestinationStream {
  return destination(2);
}
