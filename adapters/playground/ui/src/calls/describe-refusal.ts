import { errorCodeOf, messageOf } from './call.ts';
import type { AnsweredCall } from './send.ts';

/** What people read of a refused call; undefined where it was not refused. */
export function describeRefusal({ title, answer }: AnsweredCall): string | undefined {
  if (answer.status < 400) return undefined;
  const code = errorCodeOf(answer);
  const message = messageOf(answer);
  return `${title}: ${answer.status}${code === undefined ? '' : ` ${code}`}. ${message ?? ''}`.trim();
}
