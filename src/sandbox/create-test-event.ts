import { eventAddress } from '@fan-api/cosign-policy/program-addresses';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Event } from '../entities/event.ts';
import type { Partner } from '../entities/partner.ts';
import { TicketType } from '../entities/ticket.ts';
import { DomainError } from '../errors.ts';
import { newId } from '../identifier/type-id.ts';
import { isTimeZone } from '../ticket/is-time-zone.ts';
import { onchainEventId, programIdOf } from '../ticket/onchain-ids.ts';

export interface TestEventPlan {
  name: string;
  venue: string | null;
  startsAt: Date;
  endsAt: Date;
  /** IANA name; UTC where absent. */
  timeZone?: string;
  /** Names of the ticket types, 1 to 50. */
  ticketTypes: string[];
  /** The only partner that may use it; every partner where absent. */
  partner?: Partner;
}

/**
 * Creates a test event with its ticket types. Written with the caller's unit of work; `putOnchain` registers it.
 * @throws DomainError `invalid_request`
 */
export function createTestEvent(
  context: Pick<Context, 'em' | 'now' | 'config' | 'requestId'>,
  plan: TestEventPlan,
  actor: string,
): { event: Event; ticketTypes: TicketType[] } {
  const fault = planFault(plan);
  if (fault !== undefined) throw new DomainError('invalid_request', fault);
  const { em, now, config } = context;
  const { ticketTypes: names, partner = null, ...rest } = plan;
  const id = newId('evt');
  const tixEventId = eventAddress(programIdOf(config, 'sandbox'), onchainEventId(id)).address;
  const event = em.create(Event, { ...rest, partner, id, mode: 'sandbox', tixEventId, createdAt: now() });
  const ticketTypes = names.map((name) => em.create(TicketType, { event, name }));
  recordAudit(context, {
    actor,
    action: 'test_event.created',
    subject: id,
    details: { name: plan.name, partner: partner?.id ?? null },
  });
  return { event, ticketTypes };
}

function planFault({
  name,
  venue,
  startsAt,
  endsAt,
  timeZone = 'UTC',
  ticketTypes,
}: TestEventPlan): string | undefined {
  if (!hasLength(name, 200)) return 'name must have 1 to 200 characters.';
  if (venue !== null && !hasLength(venue, 200)) return 'venue must have 1 to 200 characters.';
  if (!isTimeZone(timeZone)) return 'timeZone must be an IANA name, such as Europe/Berlin.';
  if (endsAt <= startsAt) return 'endsAt must be after startsAt.';
  if (ticketTypes.length === 0 || ticketTypes.length > 50) return 'ticketTypes must have 1 to 50 entries.';
  if (!ticketTypes.every((type) => hasLength(type, 120))) return 'ticketTypes must have 1 to 120 characters each.';
  if (new Set(ticketTypes).size < ticketTypes.length) return 'ticketTypes must differ from each other.';
  return undefined;
}

function hasLength(text: string, most: number): boolean {
  // PostgreSQL's text holds no NUL
  return text.trim().length > 0 && text.length <= most && !text.includes('\0');
}
