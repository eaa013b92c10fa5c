import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { type Id, uuidOf } from '../identifier/type-id.ts';
import type { Action } from '../oauth/scopes.ts';
import { noSuchGrant, ownGrantUuid } from './own-grant.ts';

/**
 * A fan takes one action back from a client, from its next call on. Repeating it changes nothing. Actions only go this way:
 * for more, the client must ask again.
 * @throws DomainError `not_found` where the fan has no such live grant
 */
export async function takeBackAction(
  { em, now, requestId }: Pick<Context, 'em' | 'now' | 'requestId'>,
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
