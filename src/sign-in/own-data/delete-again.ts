import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, isId } from '../../platform/identifier/type-id.ts';
import type { AuditAction } from '../../record/audit/audit-actions.ts';
import { deleteFan } from './delete-fan.ts';

const ACTION: AuditAction = 'fan.deleted';

/** A fan who had left before a backup from before was restored. */
export interface DeletedAgain {
  fan: Id<'usr'>;
  /** Why the fan could not be deleted; the next call tries again. */
  refusal?: string;
}

/**
 * Deletes the fans again who have left according to exports of the audit log, each in a transaction of its own. Repeating it changes
 * nothing. A fan whom the restored database does not have is left out.
 * @param files of `audit export` (ndjson), or the console's JSON: an entry per line
 */
export async function* deleteAgain(
  context: () => WriteContext,
  files: readonly string[],
): AsyncGenerator<DeletedAgain> {
  for (const file of files) {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      const fan = leaverIn(line);
      if (fan === undefined) continue;
      const result = await deleteOne(context(), fan);
      if (result !== undefined) yield result;
    }
  }
}

/** The fan of an entry, or undefined where the line has another. */
function leaverIn(line: string): Id<'usr'> | undefined {
  if (!line.includes(`"${ACTION}"`)) return undefined;
  const { action, subject } = JSON.parse(line.replace(/,\s*$/, '')) as { action?: unknown; subject?: unknown };
  return action === ACTION && typeof subject === 'string' && isId('usr', subject) ? subject : undefined;
}

async function deleteOne(context: WriteContext, fan: Id<'usr'>): Promise<DeletedAgain | undefined> {
  const by = { actor: 'system', details: { by: 'restore' } } as const;
  try {
    await context.em.transactional((em) => deleteFan({ ...context, em }, fan, by));
    return { fan };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.code === 'not_found' ? undefined : { fan, refusal: error.message };
  }
}
