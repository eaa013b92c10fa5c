import { recordAudit } from '../audit/record-audit.ts';
import { permitAddress } from '../chain/instruction/program-addresses.ts';
import type { Context } from '../context.ts';
import type { Fan } from '../entities/fan.ts';
import type { Partner } from '../entities/partner.ts';
import { Permit } from '../entities/permit.ts';
import { Ticket } from '../entities/ticket.ts';
import type { TicketType } from '../entities/ticket-type.ts';
import { newId } from '../identifier/type-id.ts';
import { onchainTicketId, sandboxProgramId, tixTicketId } from './onchain-ids.ts';

/**
 * Grants a test user a ticket of a test event, visible to one partner's clients. Written with the caller's unit of work;
 * `provisionOnchain` issues the permit.
 * @see spec §5.14
 */
export function grantPermit(
  context: Pick<Context, 'em' | 'now' | 'config' | 'requestId'>,
  grant: { fan: Fan; partner: Partner; ticketType: TicketType },
  actor: string,
): { ticket: Ticket; permit: Permit } {
  const { em, now, config } = context;
  const id = newId('tkt');
  const ticket = em.create(Ticket, {
    id,
    ticketType: grant.ticketType,
    owner: grant.fan,
    tixTicketId: tixTicketId(id),
    purchasedAt: now(),
  });
  const { address } = permitAddress(sandboxProgramId(config), grant.ticketType.event.tixEventId, onchainTicketId(id));
  const permit = em.create(Permit, { ticket, partner: grant.partner, tixPermitId: address, createdAt: now() });
  recordAudit(context, {
    actor,
    action: 'permit.granted',
    subject: permit.id,
    details: { ticket: id, fan: grant.fan.id, partner: grant.partner.id },
  });
  return { ticket, permit };
}
