import { createHash } from 'node:crypto';
import { addressOf } from '@fan-api/solana-wire/base58';
import type { Config } from '../config/config.ts';
import type { Id } from '../identifier/type-id.ts';

/** The 32-byte onchain id of an event: derived from our identifier, so it is not stored. */
export function onchainEventId(id: Id<'evt'>): Uint8Array {
  return createHash('sha256').update(`event ${id}`).digest();
}

/** The 32-byte onchain id of a ticket, derived in the same way. */
export function onchainTicketId(id: Id<'tkt'>): Uint8Array {
  return createHash('sha256').update(`ticket ${id}`).digest();
}

/** The `tix_ticket_id` of the Fan API: the onchain ticket id in base58. */
export function tixTicketId(id: Id<'tkt'>): string {
  return addressOf(onchainTicketId(id));
}

/** The sandbox's ticket program; its default is that of the local network. */
export function sandboxProgramId(config: Pick<Config, 'chains'>): string {
  const { programId } = config.chains.sandbox;
  if (programId === undefined) throw new Error('SANDBOX_PROGRAM_ID has a default');
  return programId;
}
