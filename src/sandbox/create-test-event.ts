import { recordAudit } from '../audit/record-audit.ts';
import { eventAddress } from '../chain/instruction/program-addresses.ts';
import type { Context } from '../context.ts';
import { Event } from '../entities/event.ts';
import { TicketType } from '../entities/ticket-type.ts';
import { DomainError } from '../errors.ts';
import { newId } from '../identifier/type-id.ts';
import { onchainEventId, sandboxProgramId } from './onchain-ids.ts';

export interface TestEventPlan {
  name: string;
  venue: string | null;
  startsAt: Date;
  endsAt: Date;
  /** Names of the ticket types, at least one. */
  ticketTypes: string[];
}

/**
 * Makes a test event with its ticket types. Written with the caller's unit of work; `provisionOnchain` registers it.
 * @throws DomainError `invalid_request`
 */
export function createTestEvent(
  context: Pick<Context, 'em' | 'now' | 'config' | 'requestId'>,
  plan: TestEventPlan,
  actor: string,
): { event: Event; ticketTypes: TicketType[] } {
  if (plan.endsAt <= plan.startsAt) throw new DomainError('invalid_request', 'endsAt must be after startsAt.');
  if (plan.ticketTypes.length === 0)
    throw new DomainError('invalid_request', 'ticketTypes must have at least one entry.');
  const { em, now, config } = context;
  const { ticketTypes: names, ...rest } = plan;
  const id = newId('evt');
  const tixEventId = eventAddress(sandboxProgramId(config), onchainEventId(id)).address;
  const event = em.create(Event, { ...rest, id, mode: 'sandbox', tixEventId, createdAt: now() });
  const ticketTypes = names.map((name) => em.create(TicketType, { event, name }));
  recordAudit(context, { actor, action: 'test_event.created', subject: id, details: { name: plan.name } });
  return { event, ticketTypes };
}
