import { DomainError } from '../../src/platform/errors.ts';
import { OperatorError } from '../../src/platform/operator-error.ts';

/** Describes an error to the operator: its message and that of its cause. Only an unexpected error has its stack. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error) {
    return `Port ${String(error.port)} is in use by another process. Stop it, or set PORT to a free one.`;
  }
  const cause = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : '';
  const isExpected = error.name === 'Error' || error instanceof OperatorError || error instanceof DomainError;
  return `${isExpected ? error.message : (error.stack ?? error.message)}${cause}`;
}
