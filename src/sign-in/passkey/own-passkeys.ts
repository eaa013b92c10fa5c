import { Passkey } from '../../entities/passkey.ts';
import type { Context, WriteContext } from '../../platform/context.ts';
import { knownId, nothingUnder } from '../../platform/identifier/known-id.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';

/** A fan's passkeys, the newest first. */
export function listPasskeys({ em }: Pick<Context, 'em'>, fan: Id<'usr'>): Promise<Passkey[]> {
  return em.find(Passkey, { fan }, { orderBy: { createdAt: 'desc', id: 'desc' } });
}

/** Removes one of the fan's own passkeys; it signs nobody in from the next call on. @throws DomainError `not_found` */
export async function removeOwnPasskey(context: WriteContext, fan: Id<'usr'>, passkeyId: string): Promise<void> {
  await remove(context, { id: knownId('pky', passkeyId), fan }, `fan:${fan}`, {});
}

/** As `removeOwnPasskey`, by staff. @returns the passkey's fan @throws DomainError `not_found`; `invalid_request` without a reason */
export async function removePasskey(
  context: WriteContext,
  request: { passkeyId: string; reason: string },
  actor: string,
): Promise<Id<'usr'>> {
  const reason = givenReason(request.reason);
  return remove(context, { id: knownId('pky', request.passkeyId) }, actor, { reason });
}

async function remove(
  context: WriteContext,
  which: { id: Id<'pky'>; fan?: Id<'usr'> },
  actor: string,
  why: { reason?: string },
): Promise<Id<'usr'>> {
  return context.em.transactional(async (em) => {
    const passkey = await em.findOne(Passkey, which);
    if (!passkey || (await em.nativeDelete(Passkey, which)) === 0) throw nothingUnder('pky', which.id);
    const details = { ...why, passkey: passkey.id };
    recordAudit({ ...context, em }, { actor, action: 'passkey.removed', subject: passkey.fan.id, details });
    return passkey.fan.id;
  });
}
