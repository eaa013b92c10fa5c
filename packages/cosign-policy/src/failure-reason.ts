import { ERRORS, FIRST_ERROR_CODE, type ProgramError } from '@fan-api/ticket-program/errors';

/** The ticket program's error in the `err` of a cluster's answer, by name and in words; undefined for any other error. */
export function programErrorOf(err: unknown): string | undefined {
  const [, code] = /"Custom":(\d+)/.exec(JSON.stringify(err) ?? '') ?? [];
  const error: ProgramError | undefined = ERRORS[Number(code) - FIRST_ERROR_CODE];
  return error && `${error.name}: ${error.message}`;
}

/** Why a cluster refused a transaction, by the `err` of its answer. */
export function reasonOf(err: unknown): string {
  return programErrorOf(err) ?? (typeof err === 'string' ? err : JSON.stringify(err));
}
