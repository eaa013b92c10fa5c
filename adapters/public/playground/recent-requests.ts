import type { Id } from '../../../src/platform/identifier/type-id.ts';
import { fixOf } from '../../../src/record/activity/fix-of.ts';
import { describeOperation, labelOf } from '../../../src/record/activity/operations.ts';
import { listRequests } from '../../../src/record/activity/request-list.ts';
import type { Runtime } from '../../../src/runtime.ts';

const MOST = 50;

/** An entry of the request log: no body, no header, nothing of the fan. */
export interface RecentRequest {
  /** `X-Request-Id` of the answer. */
  id: string;
  /** ISO 8601. */
  at: string;
  /** What was called, such as `GET /tickets`. */
  label: string;
  title: string;
  method: string;
  status: number;
  /** `ok`, or the stable code of the refusal. */
  outcome: string;
  message: string | null;
  fix: string | null;
  duration_ms: number;
}

/** The newest requests of one client. Requests whose token could not be verified belong to no client, and are not among them. */
export async function recentRequests(
  context: Pick<Runtime, 'pool' | 'now'>,
  clientId: Id<'client'>,
): Promise<RecentRequest[]> {
  const rows = await listRequests(context, { clientId }, { direction: 'newest', limit: MOST });
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    label: labelOf(row.operation),
    title: describeOperation(row.operation, row.outcome),
    method: row.method,
    status: row.status,
    outcome: row.outcome,
    message: row.message,
    fix: fixOf(row) ?? null,
    duration_ms: row.duration_ms,
  }));
}
