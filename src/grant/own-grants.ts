import type { RevocationReason } from '../audit/audit-actions.ts';
import { recordAudit, recordAuditOfEach } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { ConsentGrant } from '../entities/consent-grant.ts';
import { DomainError } from '../errors.ts';
import { type Id, idOf, isId, tryUuidOf, type Uuid, uuidOf } from '../identifier/type-id.ts';
import type { Action } from '../oauth/scopes.ts';
import { revokeGrant } from './revoke-grant.ts';

/** What a fan does to their own grants. */
type FanContext = Pick<Context, 'em' | 'now' | 'requestId'>;

const REASON: RevocationReason = 'revoked_by_fan';

/** The `uuid` of a grant that a fan names. @throws DomainError `not_found` for a malformed identifier */
export function ownGrantUuid(grantId: string): Uuid {
  const uuid = tryUuidOf('grant', grantId);
  if (uuid === undefined) throw noSuchGrant();
  return uuid;
}

/** The refusal where a grant does not exist, belongs to another fan, or has ended. */
export function noSuchGrant(): DomainError {
  return new DomainError('not_found', 'This access does not exist, or has been ended already.');
}

/** A fan ends one grant. Repeating it changes nothing. @throws DomainError `not_found` where it is not the fan's */
export async function revokeOwnGrant(context: FanContext, fanId: Id<'usr'>, grantId: string): Promise<void> {
  if (!isId('grant', grantId)) throw noSuchGrant();
  if ((await context.em.count(ConsentGrant, { id: grantId, fan: fanId })) === 0) throw noSuchGrant();
  await revokeGrant(context, { grantId, reason: REASON, actor: `fan:${fanId}` });
}

/** A fan ends every grant at once, each with its audit entry. @returns how many */
export async function revokeOwnGrants({ em, now, requestId }: FanContext, fanId: Id<'usr'>): Promise<number> {
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

/**
 * A fan withdraws one action from a grant, from the client's next call on. Repeating it changes nothing. A grant never gains an
 * action: the client must ask again.
 * @throws DomainError `not_found` where the fan has no such live grant
 */
export async function takeBackAction(
  { em, now, requestId }: FanContext,
  fanId: Id<'usr'>,
  grantId: string,
  action: Action,
): Promise<void> {
  const grant = ownGrantUuid(grantId);
  await em.fork().transactional(async (tx) => {
    const [changed] = await tx.execute<{ had: boolean }[]>(
      `with before as (
         select id, ? = any(actions) as had from consent_grant
         where id = ? and fan_id = ? and revoked_at is null for no key update
       )
       update consent_grant g set actions = array_remove(g.actions, ?) from before where g.id = before.id
       returning before.had`,
      [action, grant, uuidOf('usr', fanId), action],
    );
    if (!changed) throw noSuchGrant();
    if (!changed.had) return;
    recordAudit(
      { em: tx, now, requestId },
      { actor: `fan:${fanId}`, action: 'grant.narrowed', subject: grantId, details: { actions: [action] } },
    );
  });
}
