import { createHash } from 'node:crypto';
import { addressOf } from '@fan-api/solana-wire/base58';
import type { Config } from '../config/config.ts';

/** The 32-byte ids under which events and tickets stand on the chain: derived from our identifiers, so nothing more is stored. */

/** @param id `evt_…` */
export function onchainEventId(id: string): Uint8Array {
  return createHash('sha256').update(`event ${id}`).digest();
}

/** @param id `tkt_…` */
export function onchainTicketId(id: string): Uint8Array {
  return createHash('sha256').update(`ticket ${id}`).digest();
}

/** The `tix_ticket_id` of the Fan API: the onchain ticket id in base58. */
export function tixTicketId(id: string): string {
  return addressOf(onchainTicketId(id));
}

/** The ticket program of the sandbox: always configured, the local network's by default. */
export function sandboxProgramId(config: Pick<Config, 'chains'>): string {
  const { programId } = config.chains.sandbox;
  if (programId === undefined) throw new Error('SANDBOX_PROGRAM_ID has a default');
  return programId;
}
