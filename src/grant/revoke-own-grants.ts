import type { RevocationReason } from '../audit/audit-actions.ts';
import { recordAuditOfEach } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { ConsentGrant } from '../entities/consent-grant.ts';
import { type Id, idOf, isId, type Uuid, uuidOf } from '../identifier/type-id.ts';
import { noSuchGrant } from './own-grant.ts';
import { revokeGrant } from './revoke-grant.ts';

type RevokeContext = Pick<Context, 'em' | 'now' | 'requestId'>;

const REASON: RevocationReason = 'revoked_by_fan';

/** A fan ends one grant. @throws DomainError `not_found` where it is not the fan's; ending it again changes nothing */
export async function revokeOwnGrant(context: RevokeContext, fanId: Id<'usr'>, grantId: string): Promise<void> {
  if (!isId('grant', grantId)) throw noSuchGrant();
  if ((await context.em.count(ConsentGrant, { id: grantId, fan: fanId })) === 0) throw noSuchGrant();
  await revokeGrant(context, { grantId, reason: REASON, actor: `fan:${fanId}` });
}

/** A fan ends every grant at once, each with its audit entry. @returns how many there were */
export async function revokeOwnGrants({ em, now, requestId }: RevokeContext, fanId: Id<'usr'>): Promise<number> {
  return em.fork().transactional(async (tx) => {
    const revoked = await tx.execute<{ id: Uuid }[]>(
      `with alive as (
         select id from consent_grant where fan_id = ? and revoked_at is null order by id for no key update
       )
       update consent_grant g set revoked_at = ?, revoked_reason = ? from alive where g.id = alive.id returning g.id`,
      [uuidOf('usr', fanId), now(), REASON],
    );
    await recordAuditOfEach(
      { em: tx, now, requestId },
      { actor: `fan:${fanId}`, action: 'grant.revoked', details: { reason: REASON } },
      revoked.map(({ id }) => idOf('grant', id)),
    );
    return revoked.length;
  });
}
