import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Partner } from '../entities/partner.ts';
import { knownId, nothingUnder } from '../identifier/known-id.ts';
import { nameTaken, partnerName } from './register-partner.ts';

/**
 * @param name 1 to 120 characters, unique
 * @throws DomainError `invalid_request`, `not_found`, `conflict`
 */
export async function renamePartner(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  partnerId: string,
  name: string,
  actor: string,
): Promise<Partner> {
  const after = partnerName(name);
  try {
    return await context.em.transactional(async (em) => {
      const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
      const partner = await em.findOne(Partner, { id: knownId('ptn', partnerId) }, options);
      if (!partner) throw nothingUnder('ptn', partnerId);
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
