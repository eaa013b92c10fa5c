import type { Context } from '../../platform/context.ts';
import type { SharedStatement } from '../../platform/database/share-statement.ts';
import { DomainError } from '../../platform/errors.ts';
import { untilKnown } from '../../platform/until-known.ts';

/**
 * Runs a statement that spends a code or token, again if the connection breaks before its outcome is known (D-226).
 * @returns undefined where there is nothing to spend
 * @throws DomainError `unavailable` where this call may have spent it, but lost the database's answer
 */
export async function spendOnce<Given, Row>(
  context: Pick<Context, 'pool' | 'config'>,
  statement: SharedStatement<Given, Row>,
  given: Given,
): Promise<Row | undefined> {
  const { result, again } = await untilKnown(context, (again) =>
    again ? statement.alone(context.pool, given) : statement.together(context.pool, given),
  );
  if (result === undefined && again) throw askToRepeat();
  return result;
}

/** The error of a call that cannot tell its own effect from that of another call. The client's repeat is judged instead. */
export function askToRepeat(): DomainError {
  return new DomainError('unavailable', 'the outcome of a statement is not known');
}
