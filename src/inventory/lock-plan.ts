import type { PoolClient } from 'pg';
import { type Prepared, prepared } from '../platform/database/prepared.ts';
import type { Plan } from './plan.ts';

type Versioned = { id: string; version: string | null };
type Version = Prepared<{ id: string; version: string }>;

const shareEvents: Version = prepared(
  'select id, xmin::text as version from event where id = any($1) order by id for share',
);
const lockEvents: Version = prepared(
  'select id, xmin::text as version from event where id = any($1) order by id for no key update',
);
const lockTypes: Version = prepared(
  'select id, xmin::text as version from ticket_type where id = any($1) order by id for no key update',
);
const lockTickets: Version = prepared(
  'select id, xmin::text as version from ticket where id = any($1) order by id for no key update',
);
const lockPermits: Version = prepared(
  'select id, xmin::text as version from permit where id = any($1) order by id for update',
);

/**
 * Locks what a plan changes, in one order for all: events, ticket types, permits, tickets, each by id. Permits come before tickets, as
 * where the chain moves a ticket (`sync-permits.ts`). Events that tickets refer to are shared, so that none is cancelled meanwhile.
 * @throws PlanOutdated where one is not as the plan saw it
 */
export async function lockPlan(client: PoolClient, { events, usedEvents, types, tickets }: Plan): Promise<void> {
  const changed = stored(events);
  // never a share lock that must be upgraded later: two batches would deadlock
  await check(client, changed.length > 0 ? lockEvents : shareEvents, stored(new Set([...events, ...usedEvents])));
  await check(client, lockTypes, stored(types));
  const existing = stored(tickets);
  if (existing.length === 0) return;
  await check(
    client,
    lockPermits,
    existing.map(({ permit_id, permit_version }) => ({ id: permit_id, version: permit_version })),
  );
  await check(client, lockTickets, existing);
}

function stored<State extends Versioned>(states: ReadonlySet<State>): State[] {
  return [...states].filter(({ version }) => version !== null);
}

async function check(client: PoolClient, lock: Version, states: readonly Versioned[]): Promise<void> {
  if (states.length === 0) return;
  const found = await lock(client, [states.map(({ id }) => id)]);
  const versions = new Map(found.map(({ id, version }) => [id, version]));
  if (states.some(({ id, version }) => versions.get(id) !== version)) throw new PlanOutdated();
}

/** Another transaction changed the rows of a plan, which must be made again. */
export class PlanOutdated extends Error {
  constructor() {
    super('the rows that the plan is about were changed meanwhile');
    this.name = 'PlanOutdated';
  }
}
