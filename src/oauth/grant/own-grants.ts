import { ConsentGrant, type RevocationReason } from '../../entities/consent-grant.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, idOf, isId, tryUuidOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { recordAuditOfEach } from '../../record/audit/record-audit.ts';

/** The context in which a fan changes their own grants. */
export type FanContext = Pick<Context, 'em' | 'now' | 'requestId' | 'staffToken'>;

/** The `uuid` of a grant that a fan names. @throws DomainError `not_found` for a malformed identifier */
export function ownGrantUuid(grantId: string): Uuid {
  const uuid = tryUuidOf('grant', grantId);
  if (uuid === undefined) throw noSuchGrant();
  return uuid;
}

/** The error for a grant that does not exist, belongs to another fan, or has ended. */
export function noSuchGrant(): DomainError {
  return new DomainError('not_found', 'This access does not exist, or has ended already.');
}

const lockLive = prepared<{ id: Uuid }>(`
  select id from consent_grant where id = any($1::uuid[]) and fan_id = $2 and revoked_at is null
  order by id for no key update`);

/**
 * Of the named grants, locks those that belong to the fan and have not ended, until the caller's transaction ends. Every lock on several
 * grants is taken in the order of ids, to prevent deadlocks.
 * @param em has not read them before: a fork
 * @returns the locked grants, read after the lock
 * @throws DomainError `not_found` if no grant was locked
 */
export async function lockOwnGrants(
  em: Context['em'],
  fanId: Id<'usr'>,
  grantIds: readonly string[],
): Promise<ConsentGrant[]> {
  const locked = await lockLive(em, [grantIds.map(ownGrantUuid), uuidOf('usr', fanId)]);
  if (locked.length === 0) throw noSuchGrant();
  return em.find(ConsentGrant, { id: { $in: locked.map(({ id }) => idOf('grant', id)) } });
}

/** Whether what was put on sale stays on sale when access is taken away. Otherwise it is taken off (`ended-access.ts`). */
export interface SalesChoice {
  keepsSales?: boolean | undefined;
}

/** The value of `ConsentGrant.salesKeptAt` that says so, to be spread into a change that takes access away. */
export function salesKept({ now }: Pick<Context, 'now'>, { keepsSales }: SalesChoice): { salesKeptAt?: Date } {
  return keepsSales ? { salesKeptAt: now() } : {};
}

/**
 * Revokes every grant of a fan to one client in one transaction, with an audit entry per grant. Repeating the call changes
 * nothing.
 * @returns how many grants it ended
 * @throws DomainError `not_found` where the fan never granted the client anything
 */
export async function revokeOwnApp(
  context: FanContext,
  fanId: Id<'usr'>,
  clientId: string,
  sales: SalesChoice = {},
): Promise<number> {
  if (!isId('client', clientId)) throw noSuchGrant();
  const ended = await revokeLive(context, fanId, uuidOf('client', clientId), sales);
  if (ended === 0 && (await context.em.count(ConsentGrant, { fan: fanId, client: clientId })) === 0)
    throw noSuchGrant();
  return ended;
}

/**
 * Revokes every grant of a fan. Repeating the call changes nothing.
 * @param by the member of staff who does it for the fan, with a note for the audit log; undefined: the fan
 * @returns how many grants it ended
 */
export async function revokeOwnGrants(
  context: FanContext,
  fanId: Id<'usr'>,
  sales: SalesChoice = {},
  by?: { actor: string; note: string },
): Promise<number> {
  const revoked = by && { actor: by.actor, details: { reason: 'revoked_by_staff', note: by.note } as const };
  return revokeLive(context, fanId, null, sales, revoked);
}

/** Values: the fan, the client (null: every client), now, the reason, when sales were kept (null: they end). */
const revokeGrants = prepared<{ id: Uuid }>(`
  with alive as (
    select id from consent_grant where fan_id = $1 and revoked_at is null and ($2::uuid is null or client_id = $2)
    order by id for no key update
  )
  update consent_grant g set revoked_at = $3, revoked_reason = $4, sales_kept_at = coalesce($5, sales_kept_at) from alive
  where g.id = alive.id returning g.id`);

async function revokeLive(
  context: FanContext,
  fanId: Id<'usr'>,
  client: Uuid | null,
  sales: SalesChoice,
  revocation: { actor: string; details: { reason: RevocationReason; note?: string } } = {
    actor: `fan:${fanId}`,
    details: { reason: 'revoked_by_fan' },
  },
): Promise<number> {
  return context.em.fork().transactional(async (tx) => {
    const kept = salesKept(context, sales).salesKeptAt ?? null;
    const revoked = await revokeGrants(tx, [
      uuidOf('usr', fanId),
      client,
      context.now(),
      revocation.details.reason,
      kept,
    ]);
    const fact = { ...revocation, action: 'grant.revoked' } as const;
    const subjects = revoked.map(({ id }) => idOf('grant', id));
    recordAuditOfEach({ ...context, em: tx }, fact, subjects);
    return revoked.length;
  });
}
