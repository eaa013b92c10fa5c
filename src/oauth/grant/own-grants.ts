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
  by?: GrantEnder,
): Promise<number> {
  return revokeLive(context, fanId, null, sales, revocationBy(fanId, by));
}

/** A member of staff who ends grants for a fan. */
interface GrantEnder {
  actor: string;
  /** For the audit log. */
  note: string;
}

interface Revocation {
  actor: string;
  details: { reason: RevocationReason; note?: string };
}

function revocationBy(fanId: Id<'usr'>, by?: GrantEnder): Revocation {
  if (by) return { actor: by.actor, details: { reason: 'revoked_by_staff', note: by.note } };
  return { actor: `fan:${fanId}`, details: { reason: 'revoked_by_fan' } };
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
  revocation: Revocation = revocationBy(fanId),
): Promise<number> {
  const kept = salesKept(context, sales).salesKeptAt ?? null;
  return context.em.fork().transactional((em) => revokeWithin({ ...context, em }, fanId, { client, kept }, revocation));
}

/** As `revokeOwnGrants`, in the transaction of the caller's `em`. */
export function revokeOwnGrantsWithin(context: FanContext, fanId: Id<'usr'>, by?: GrantEnder): Promise<number> {
  return revokeWithin(context, fanId, { client: null, kept: null }, revocationBy(fanId, by));
}

async function revokeWithin(
  context: FanContext,
  fanId: Id<'usr'>,
  { client, kept }: { client: Uuid | null; kept: Date | null },
  revocation: Revocation,
): Promise<number> {
  const { em, now } = context;
  const revoked = await revokeGrants(em, [uuidOf('usr', fanId), client, now(), revocation.details.reason, kept]);
  const subjects = revoked.map(({ id }) => idOf('grant', id));
  recordAuditOfEach(context, { ...revocation, action: 'grant.revoked' }, subjects);
  return revoked.length;
}
