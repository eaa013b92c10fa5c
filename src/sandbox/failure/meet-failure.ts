import { FAILURES, type Failure, type Simulation } from '../../entities/simulation.ts';
import { holdingAt, type WithSimulatedClients } from '../../partners/client/simulated-clients.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import type { Operation } from '../../record/activity/operation-texts.ts';
import { failureKind } from './kinds.ts';
import { isNothingLeft, writeSimulation } from './write-simulation.ts';

/** What one call of a simulated client meets. */
export interface Met extends Simulation {
  /** The failure that it meets, if any. */
  failure: Failure | undefined;
  /** The seconds with which the failure was armed. */
  seconds: number;
}

/** One round trip: takes the failure that was armed first. Of two calls at the same time only one takes its last time. */
const take = prepared<{
  simulation: Simulation | null;
  failure: Failure | null;
  seconds: number | null;
  waiting: boolean;
}>(`
  with armed as (
    select failure from armed_failure
    where client_id = $1 and failure = any($2) and times_left > 0 and expires_at > $3
      and (operation is null or operation = $4)
    order by armed_at, failure limit 1 for update
  ), met as (
    update armed_failure f set times_left = f.times_left - 1, met_at = $3 from armed
    where f.client_id = $1 and f.failure = armed.failure and f.times_left > 0
    returning f.failure, f.seconds
  )
  select c.simulation, met.failure, met.seconds, exists (
      select from armed_failure w where w.client_id = $1 and w.times_left > 0 and w.expires_at > $3
    ) as waiting
  from client c left join met on true where c.id = $1 and c.mode = 'sandbox'`);

/** Takes the failure that a call of a client meets, and reads what else is simulated for it. */
export async function meetFailure(
  context: Pick<Context, 'pool' | 'em' | 'now' | 'config'> & WithSimulatedClients,
  client: Uuid,
  operation: Operation,
): Promise<Met> {
  const now = context.now();
  const fitting = FAILURES.filter((each) => failureKind(each).operations.includes(operation));
  const [row] = await take(context.pool, [client, fitting, now, operation]);
  const holding = holdingAt(row?.simulation ?? null, now);
  // where nothing is left for a client its row is cleared, so that later calls need no query
  if (row?.waiting === false && isNothingLeft(context, { ...holding, armedUntil: 0 }))
    await writeSimulation(context, idOf('client', client), (simulation) => simulation);
  return { ...holding, failure: row?.failure ?? undefined, seconds: row?.seconds ?? 0 };
}
