import { createHash } from 'node:crypto';
import { addressOf } from '@fan-api/solana-wire/base58';
import type { Config } from '../../platform/config/config.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';

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

/**
 * The ticket program of a mode; the sandbox's default is that of the local network.
 * @throws DomainError `cluster_missing` where none is configured
 */
export function programIdOf(config: Pick<Config, 'chains'>, mode: Mode): string {
  const { programId } = config.chains[mode];
  if (programId !== undefined) return programId;
  const variable = `${mode.toUpperCase()}_PROGRAM_ID`;
  throw new DomainError(
    'cluster_missing',
    `${variable} is not set, so the onchain addresses of ${mode} are not known.`,
  );
}
