import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { FAN_OPERATIONS, OK, OPERATION_GROUPS } from './operations.ts';

/** A client most of whose calls are refused or fail. */
export interface FailingClient {
  client_id: Uuid;
  calls: number;
  failed: number;
}

const OPERATIONS = [...FAN_OPERATIONS, ...OPERATION_GROUPS.token.operations];
const LOOKED_BACK = 3600;

/** Reads the counts by five minutes; fewer than 20 calls say nothing. */
const read = prepared<FailingClient>(`
  select client_id, calls, failed from (
    select t.client_id, sum(t.count)::int as calls, sum(t.count) filter (where t.outcome <> '${OK}')::int as failed
    from traffic t join client c on c.id = t.client_id and c.mode = 'production'
    where t.span_minutes = 5 and t.bucket > $1 and t.operation = any($2) group by t.client_id) counted
  where calls >= 20 and failed * 2 > calls order by failed desc limit 5`);

/** The production clients most of whose calls of the last hour, of the Fan API and for tokens, did not succeed; the worst five. */
export function readFailingClients({ pool, now }: Pick<Context, 'pool' | 'now'>): Promise<FailingClient[]> {
  return read(pool, [after(now(), -LOOKED_BACK), OPERATIONS]);
}
