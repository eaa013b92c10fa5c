import { createHash } from 'node:crypto';
import { recordAudit } from '../audit/record-audit.ts';
import { eventAddress } from '../chain/instruction/program-addresses.ts';
import { LOCAL_PROGRAM_ID } from '../chain/program/local-keys.ts';
import type { Context } from '../context.ts';
import { Event } from '../entities/event.ts';
import { TicketType } from '../entities/ticket-type.ts';
import { DomainError } from '../errors.ts';
import { newId } from '../identifier/type-id.ts';

export interface TestEventPlan {
  name: string;
  venue: string | null;
  startsAt: Date;
  endsAt: Date;
  /** Names of the ticket types, at least one. */
  ticketTypes: string[];
}

/**
 * Makes a test event with its ticket types. Written with the caller's unit of work.
 * @throws DomainError `invalid_request`
 */
export function createTestEvent(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  plan: TestEventPlan,
  actor: string,
): { event: Event; ticketTypes: TicketType[] } {
  if (plan.endsAt <= plan.startsAt) throw new DomainError('invalid_request', 'endsAt must be after startsAt.');
  if (plan.ticketTypes.length === 0)
    throw new DomainError('invalid_request', 'ticketTypes must have at least one entry.');
  const { em, now } = context;
  const { ticketTypes: names, ...rest } = plan;
  const id = newId('evt');
  const tixEventId = eventAddress(LOCAL_PROGRAM_ID, onchainEventId(id)).address;
  const event = em.create(Event, { ...rest, id, mode: 'sandbox', tixEventId, createdAt: now() });
  const ticketTypes = names.map((name) => em.create(TicketType, { event, name }));
  recordAudit(context, { actor, action: 'test_event.created', subject: id, details: { name: plan.name } });
  return { event, ticketTypes };
}

/** The 32-byte event id that seeds the address of the onchain Event account. */
function onchainEventId(id: string): Uint8Array {
  return createHash('sha256').update(`event ${id}`).digest();
}
