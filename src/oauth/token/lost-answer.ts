import type { Context } from '../../platform/context.ts';
import type { SharedStatement } from '../../platform/database/share-statement.ts';
import { DomainError } from '../../platform/errors.ts';
import { untilKnown } from '../../platform/until-known.ts';

/**
 * Runs a statement that spends a code or token, and repeats it if the connection breaks before the database answers (D-226).
 * @returns undefined where there is nothing to spend
 * @throws DomainError `unavailable` where a repeat finds nothing to spend: the first attempt may have spent it, or another call
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

/** The error for a call that cannot know whether it, or another call, spent the code or token. The client sends it again. */
export function askToRepeat(): DomainError {
  return new DomainError('unavailable', 'It is not known whether this request succeeded. Send it again.');
}
