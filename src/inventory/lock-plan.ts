import type { PoolClient } from 'pg';
import { prepared } from '../platform/database/prepared.ts';
import type { Plan } from './plan.ts';

type Versioned = { id: string; version: string | null };

/** One round trip. PostgreSQL reads the parts of a `union all`, and with each its locks, in their order. */
const lockAll = (lockOfEvents: 'share' | 'no key update') =>
  prepared<{ id: string; version: string }>(`
  with locked_events as materialized (select id, xmin from event where id = any($1) order by id for ${lockOfEvents}),
    locked_types as materialized (select id, xmin from ticket_type where id = any($2) order by id for no key update),
    locked_permits as materialized (select id, xmin from permit where id = any($3) order by id for update),
    locked_tickets as materialized (select id, xmin from ticket where id = any($4) order by id for no key update)
  select id, xmin::text as version from (
    select * from locked_events union all select * from locked_types
    union all select * from locked_permits union all select * from locked_tickets
  ) locked`);
const lockSharingEvents = lockAll('share');
const lockWithEvents = lockAll('no key update');

/**
 * Locks what a plan changes, in one order for all: events, ticket types, permits, tickets, each by id. Permits come before tickets, as
 * where the chain moves a ticket (`sync-permits.ts`). Events that tickets refer to are shared, so that none is cancelled meanwhile.
 * @throws PlanOutdated where one is not as the plan saw it
 */
export async function lockPlan(client: PoolClient, { events, usedEvents, types, tickets }: Plan): Promise<void> {
  const changed = stored(tickets);
  const permits = changed.map(({ permit_id, permit_version }) => ({ id: permit_id, version: permit_version }));
  const groups: Versioned[][] = [stored(new Set([...events, ...usedEvents])), stored(types), permits, changed];
  const states = groups.flat();
  if (states.length === 0) return;
  // never a share lock that must be upgraded later: two batches would deadlock
  const lock = stored(events).length > 0 ? lockWithEvents : lockSharingEvents;
  const found = await lock(
    client,
    groups.map((group) => group.map(({ id }) => id)),
  );
  const versions = new Map(found.map(({ id, version }) => [id, version]));
  if (states.some(({ id, version }) => versions.get(id) !== version)) throw new PlanOutdated();
}

function stored<State extends Versioned>(states: ReadonlySet<State>): State[] {
  return [...states].filter(({ version }) => version !== null);
}

/** Another transaction changed the rows of a plan, which must be made again. */
export class PlanOutdated extends Error {
  constructor() {
    super('the rows that the plan is about were changed meanwhile');
    this.name = 'PlanOutdated';
  }
}
