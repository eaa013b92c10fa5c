import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { tracing } from './telemetry/tracing.ts';

const LONGEST_LIST = 20;
/** A chain of causes may be circular. */
const DEEPEST = 4;
const LONGEST_MESSAGE = 1_000;
const PLACE = /^\s+at /;
/** A PostgreSQL error code. @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/**
 * What the log has of an error. Errors of libraries hold requests, answers, credentials or the values of a statement, so
 * only type, message, code and the lines of the stack are logged.
 */
interface LoggedError {
  type: string;
  message: string;
  code?: string | number;
  /** Without its first lines, which repeat the message. */
  stack?: string;
  cause?: LoggedError;
  /** Of an AggregateError. */
  errors?: LoggedError[];
}

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

/** The loggable part of an error and of what caused it. */
function describeError(error: Error, depth = DEEPEST): LoggedError {
  const places = (error.stack ?? '').split('\n').filter((line) => PLACE.test(line));
  const described: LoggedError = { type: error.constructor.name, message: messageOf(error) };
  const code = codeOf(error);
  if (code !== undefined) described.code = code;
  if (places.length > 0) described.stack = places.join('\n');
  if (depth > 0 && error.cause instanceof Error) described.cause = describeError(error.cause, depth - 1);
  if (depth > 0 && error instanceof AggregateError) {
    described.errors = error.errors
      .filter((each) => each instanceof Error)
      .map((each) => describeError(each, depth - 1));
  }
  return described;
}

function codeOf(error: Error): string | number | undefined {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? code : undefined;
}

/**
 * A message without the values that it quotes. PostgreSQL quotes them in data errors (class 22) and in `detail` and `hint`,
 * which the ORM adds to the message as further lines; a SyntaxError of `JSON.parse` quotes what it could not read.
 */
function messageOf(error: Error): string {
  const code = codeOf(error);
  const ofDatabase = typeof code === 'string' && SQLSTATE.test(code);
  const text = ofDatabase ? (error.message.split('\n')[0] ?? '') : error.message;
  const quotesValues = error instanceof SyntaxError || (ofDatabase && code.startsWith('22'));
  return (quotesValues ? text.replace(/".*"/s, '"…"') : text).slice(0, LONGEST_MESSAGE);
}
