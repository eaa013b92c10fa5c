import type { Context } from '../../platform/context.ts';
import type { SharedStatement } from '../../platform/database/share-statement.ts';
import { DomainError } from '../../platform/errors.ts';
import { untilKnown } from '../../platform/until-known.ts';

const RETRY_AFTER_SECONDS = 5;

/**
 * Runs a statement that spends something, until its outcome is known (D-226).
 * @returns undefined where there is nothing to spend
 * @throws DomainError `unavailable` where this call may have spent it itself, without having seen the answer
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

/** For a call that cannot tell what it did itself from what another one did. It judges nothing; the repeat of it is judged. */
export function askToRepeat(): DomainError {
  const message = 'The database’s answer was lost; send the same request again.';
  return new DomainError('unavailable', message, { retryAfter: RETRY_AFTER_SECONDS });
}
