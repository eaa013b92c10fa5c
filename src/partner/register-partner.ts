import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Partner } from '../entities/partner.ts';
import { DomainError } from '../errors.ts';
import { nameFault } from '../identifier/name-fault.ts';

/**
 * Registers a partner, in the caller's unit of work.
 * @param name 1 to 120 characters, unique
 * @throws DomainError `invalid_request`, `conflict`
 */
export async function registerPartner(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  name: string,
  actor: string,
): Promise<Partner> {
  const { em, now } = context;
  const trimmed = partnerName(name);
  if (await em.findOne(Partner, { name: trimmed })) throw nameTaken(trimmed);
  const partner = em.create(Partner, { name: trimmed, createdAt: now() });
  recordAudit(context, { actor, action: 'partner.registered', subject: partner.id, details: { name: trimmed } });
  return partner;
}

/** The trimmed name. @throws DomainError `invalid_request` */
export function partnerName(name: string): string {
  const fault = nameFault(name.trim());
  if (fault !== undefined) throw new DomainError('invalid_request', `name ${fault}.`);
  return name.trim();
}

export function nameTaken(name: string): DomainError {
  return new DomainError('conflict', `A partner named ${name} exists already.`);
}
