import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../../src/entities/client.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { createTestEvent } from '../../../src/sandbox/create-test-event.ts';
import { createTestUser } from '../../../src/sandbox/create-test-users.ts';
import { grantPermit } from '../../../src/sandbox/grant-permits.ts';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';

const ACTOR = 'system';
const DAY_MS = 86_400_000;
const ISSUING_PATIENCE_MS = 60_000;
const POLL_MS = 250;

/**
 * Creates a test user with `count` tickets of one event, and waits until the server has issued their permits.
 * @returns the id of that fan
 */
export async function createTicketHolder(context: ServiceContext, kit: StarterKit, count: number) {
  const { em, now, pool } = context;
  const { partner } = await em.findOneOrFail(Client, { id: kit.client_id }, { populate: ['partner'] });
  const { fan } = await createTestUser(context, partner, ACTOR);
  const startsAt = new Date(now().getTime() + DAY_MS);
  const endsAt = new Date(startsAt.getTime() + DAY_MS);
  const plan = { name: 'An evening', venue: 'Town hall', startsAt, endsAt, ticketTypes: ['Standing'] };
  const [ticketType] = createTestEvent(context, plan, ACTOR).ticketTypes;
  if (!ticketType) throw new Error('the test event has no ticket type');
  for (let at = 0; at < count; at += 1) grantPermit(context, { fan, partner, ticketType }, ACTOR);
  await em.flush();
  const givenUpAt = performance.now() + ISSUING_PATIENCE_MS;
  for (;;) {
    const { rowCount } = await pool.query('select from permit where issued_at is null');
    if (rowCount === 0) break;
    if (performance.now() > givenUpAt) throw new Error('the server does not issue the permits');
    await sleep(POLL_MS);
  }
  return fan.id;
}
