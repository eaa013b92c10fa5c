import { createHash } from 'node:crypto';
import { recordAudit } from '../audit/record-audit.ts';
import { addressOf } from '../chain/base58.ts';
import { permitAddress } from '../chain/instruction/program-addresses.ts';
import { LOCAL_PROGRAM_ID } from '../chain/program/local-keys.ts';
import type { Context } from '../context.ts';
import type { Fan } from '../entities/fan.ts';
import type { Partner } from '../entities/partner.ts';
import { Permit } from '../entities/permit.ts';
import { Ticket } from '../entities/ticket.ts';
import type { TicketType } from '../entities/ticket-type.ts';
import { newId } from '../identifier/type-id.ts';

/**
 * Grants a test user a ticket of a test event, visible to one partner's clients. Written with the caller's unit of work.
 * @see spec §5.14
 */
export function grantPermit(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  grant: { fan: Fan; partner: Partner; ticketType: TicketType },
  actor: string,
): { ticket: Ticket; permit: Permit } {
  const { em, now } = context;
  const id = newId('tkt');
  const ticketId = onchainTicketId(id);
  const ticket = em.create(Ticket, {
    id,
    ticketType: grant.ticketType,
    owner: grant.fan,
    tixTicketId: addressOf(ticketId),
    purchasedAt: now(),
  });
  const { address } = permitAddress(LOCAL_PROGRAM_ID, grant.ticketType.event.tixEventId, ticketId);
  const permit = em.create(Permit, { ticket, partner: grant.partner, tixPermitId: address, createdAt: now() });
  recordAudit(context, {
    actor,
    action: 'permit.granted',
    subject: permit.id,
    details: { ticket: id, fan: grant.fan.id, partner: grant.partner.id },
  });
  return { ticket, permit };
}

/** The 32-byte ticket id that seeds the address of the onchain Permit account. */
function onchainTicketId(id: string): Uint8Array {
  return createHash('sha256').update(`ticket ${id}`).digest();
}
