import { eventAddress } from '@fan-api/cosign-policy/program-addresses';
import { Event } from '../entities/event.ts';
import type { Partner } from '../entities/partner.ts';
import { TicketType } from '../entities/ticket.ts';
import type { WithConfig, WriteContext } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { textFault } from '../platform/identifier/name-fault.ts';
import { newId } from '../platform/identifier/type-id.ts';
import { recordAudit } from '../record/audit/record-audit.ts';
import { isTimeZone } from '../tickets/ticket/is-time-zone.ts';
import { onchainEventId, programIdOf } from '../tickets/ticket/onchain-ids.ts';

export interface TestEventPlan {
  name: string;
  venue: string | null;
  startsAt: Date;
  endsAt: Date;
  /** IANA name; UTC where absent. */
  timeZone?: string;
  /** Names of the ticket types, 1 to 50. */
  ticketTypes: string[];
  /** Those of them whose tickets can't be put on sale. */
  notForResale?: string[];
  /** Until then its tickets can be resold; until it ends where absent. */
  resaleUntil?: Date;
  /** The only partner that may use it; every partner where absent. */
  partner?: Partner;
}

/**
 * Creates a test event with its ticket types. Written with the caller's unit of work; `putOnchain` registers it.
 * @throws DomainError `invalid_request`
 */
export function createTestEvent(
  context: WriteContext & WithConfig,
  plan: TestEventPlan,
  actor: string,
): { event: Event; ticketTypes: TicketType[] } {
  const fault = planFault(plan);
  if (fault !== undefined) throw new DomainError('invalid_request', fault);
  const { em, now, config } = context;
  const { ticketTypes: names, notForResale = [], partner = null, ...rest } = plan;
  const id = newId('evt');
  const tixEventId = eventAddress(programIdOf(config, 'sandbox'), onchainEventId(id)).address;
  const event = em.create(Event, { ...rest, partner, id, mode: 'sandbox', tixEventId, createdAt: now() });
  const ticketTypes = names.map((name) => em.create(TicketType, { event, name, resale: !notForResale.includes(name) }));
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
  notForResale = [],
  resaleUntil = endsAt,
}: TestEventPlan): string | undefined {
  const nameFault = shownFault(name, 200);
  if (nameFault !== undefined) return `name ${nameFault}.`;
  const venueFault = venue === null ? undefined : shownFault(venue, 200);
  if (venueFault !== undefined) return `venue ${venueFault}.`;
  if (!isTimeZone(timeZone)) return 'timeZone must be an IANA name, such as Europe/Berlin.';
  if (endsAt <= startsAt) return 'endsAt must be after startsAt.';
  if (ticketTypes.length === 0 || ticketTypes.length > 50) return 'ticketTypes must have 1 to 50 entries.';
  const typeFault = ticketTypes.map((type) => shownFault(type, 120)).find((fault) => fault !== undefined);
  if (typeFault !== undefined) return `ticketTypes: each ${typeFault}.`;
  if (new Set(ticketTypes).size < ticketTypes.length) return 'ticketTypes must differ from each other.';
  if (notForResale.some((name) => !ticketTypes.includes(name))) return 'notForResale must be among ticketTypes.';
  if (resaleUntil > endsAt) return 'resaleUntil must not be after endsAt.';
  return undefined;
}

/** The fault of a text that fans read. */
function shownFault(text: string, most: number): string | undefined {
  return text.trim() === '' || text.length > most ? `must have 1 to ${most} characters` : textFault(text);
}
