import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { Partner } from '../../entities/partner.ts';
import type { WriteContext } from '../../platform/context.ts';
import { LOCKED, rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { nameFault } from '../../platform/identifier/name-fault.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';

/**
 * Registers a partner, in the caller's unit of work.
 * @param name 1 to 120 characters, unique
 * @throws DomainError `invalid_request`, `conflict`
 */
export async function registerPartner(context: WriteContext, name: string, actor: string): Promise<Partner> {
  const { em, now } = context;
  const trimmed = partnerName(name);
  if (await em.findOne(Partner, { name: trimmed })) throw nameTaken(trimmed);
  const partner = em.create(Partner, { name: trimmed, createdAt: now() });
  recordAudit(context, { actor, action: 'partner.registered', subject: partner.id, details: { name: trimmed } });
  return partner;
}

/** The trimmed name. @throws DomainError `invalid_request` */
function partnerName(name: string): string {
  const fault = nameFault(name.trim());
  if (fault !== undefined) throw new DomainError('invalid_request', `name ${fault}.`);
  return name.trim();
}

export function nameTaken(name: string): DomainError {
  return new DomainError('conflict', `A partner named ${name} already exists.`);
}

/**
 * Renames a partner.
 * @param name 1 to 120 characters, unique
 * @throws DomainError `invalid_request`, `not_found`, `conflict`
 */
export async function renamePartner(
  context: WriteContext,
  partnerId: string,
  name: string,
  actor: string,
): Promise<Partner> {
  const after = partnerName(name);
  try {
    return await context.em.transactional(async (em) => {
      const partner = await rowUnder(em, Partner, 'ptn', partnerId, { ...LOCKED, refresh: true });
      const before = partner.name;
      if (before === after) return partner;
      partner.name = after;
      const details = { before: { name: before }, after: { name: after } };
      recordAudit({ ...context, em }, { actor, action: 'partner.renamed', subject: partner.id, details });
      return partner;
    });
  } catch (error) {
    throw error instanceof UniqueConstraintViolationException ? nameTaken(after) : error;
  }
}
