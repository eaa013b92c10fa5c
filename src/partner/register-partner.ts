import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Partner } from '../entities/partner.ts';
import { DomainError } from '../errors.ts';

/** Partners: the companies that integrate. */

/**
 * Registers a partner. Written with the caller's unit of work.
 * @param name 1 to 120 characters, unique
 * @throws DomainError `invalid_request`, `conflict`
 */
export async function registerPartner(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  name: string,
  actor: string,
): Promise<Partner> {
  const { em, now } = context;
  const trimmed = name.trim();
  if (trimmed.length < 1 || trimmed.length > 120) {
    throw new DomainError('invalid_request', 'name must have 1 to 120 characters.');
  }
  if (await em.findOne(Partner, { name: trimmed })) {
    throw new DomainError('conflict', `A partner named ${trimmed} exists already.`);
  }
  const partner = em.create(Partner, { name: trimmed, createdAt: now() });
  recordAudit(context, { actor, action: 'partner.registered', subject: partner.id, details: { name: trimmed } });
  return partner;
}
