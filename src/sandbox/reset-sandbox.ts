import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { ArmedFailure } from '../entities/armed-failure.ts';
import { AuthorizationSession } from '../entities/authorization-session.ts';
import { Client } from '../entities/client.ts';
import type { RevocationReason } from '../entities/consent-grant.ts';
import { Partner } from '../entities/partner.ts';
import { SigningKey } from '../entities/signing-key.ts';
import { SandboxKit } from '../entities/test-user.ts';
import type { WithSimulatedClients } from '../partners/client/simulated-clients.ts';
import type { SqlContext, WriteContext } from '../platform/context.ts';
import { filterOnly } from '../platform/database/filter-only.ts';
import { prepared } from '../platform/database/prepared.ts';
import { LOCKED, rowUnder } from '../platform/database/row-under.ts';
import { DomainError } from '../platform/errors.ts';
import { knownId } from '../platform/identifier/known-id.ts';
import { type Id, type IdPrefix, idOf, type Uuid, uuidOf } from '../platform/identifier/type-id.ts';
import { recordAudit, recordAuditOfEach } from '../record/audit/record-audit.ts';

export interface ResetRequest {
  partnerId: string;
  /** The partner's name, typed by the person who asks. */
  confirm: string;
  /** Whether the test users keep their phone numbers, codes and wallets. */
  keepTestUsers: boolean;
}

/** Identifiers of what a reset ended. */
export interface SandboxReset {
  permits: Id<'perm'>[];
  grants: Id<'grant'>[];
  events: Id<'evt'>[];
  testUsers: Id<'usr'>[];
}

const REASON: RevocationReason = 'sandbox_reset';

/**
 * Empties a partner's sandbox in one transaction: revokes its test permits and the grants of its sandbox clients and test users,
 * expires sign-ins in progress, ends what is simulated for its clients and the test events created for it, deletes its starter kits and,
 * unless kept, its test users. Clients stay, and test events for every partner. So do onchain accounts: the program can't close them.
 * @throws DomainError `not_found`; `invalid_request` where `confirm` is not the partner's name
 */
export async function resetSandbox(
  context: WriteContext & WithSimulatedClients,
  { partnerId, confirm, keepTestUsers }: ResetRequest,
  actor: string,
): Promise<SandboxReset> {
  const done = await context.em.transactional(async (em) => {
    // no row can be created for a locked partner: its foreign key waits
    const partner = await rowUnder(em, Partner, 'ptn', partnerId, LOCKED);
    if (confirm.trim() !== partner.name) {
      throw new DomainError('invalid_request', `confirm must be the partner’s name: ${partner.name}.`);
    }
    const reset = await endAll(em, partner.id, context.now(), keepTestUsers);
    const facts = [
      ['permit.revoked', reset.permits],
      ['grant.revoked', reset.grants],
      ['test_event.ended', reset.events],
      ['test_user.removed', reset.testUsers],
    ] as const;
    const inTransaction = { ...context, em };
    const details = { reason: REASON, partner: partner.id };
    for (const [action, subjects] of facts) recordAuditOfEach(inTransaction, { actor, action, details }, subjects);
    recordAudit(inTransaction, {
      actor,
      action: 'sandbox.reset',
      subject: partner.id,
      details: {
        keepTestUsers,
        permits: reset.permits.length,
        grants: reset.grants.length,
        events: reset.events.length,
        testUsers: reset.testUsers.length,
      },
    });
    return reset;
  });
  await context.simulatedClients.read();
  return done;
}

/** Values of each: partner, now. Rows are locked by id, as everywhere, against deadlocks. */
const end = {
  permits: prepared<{ id: Uuid }>(`
    with valid as (
      select p.id from permit p join ticket t on t.id = p.ticket_id
        join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
      where e.mode = 'sandbox' and p.partner_id = $1 and p.revoked_at is null
      order by p.id for no key update of p
    )
    update permit p set revoked_at = $2 from valid where p.id = valid.id returning p.id`),
  grants: prepared<{ id: Uuid }>(`
    with alive as (
      select id from consent_grant
      where revoked_at is null and id in (
        select g.id from consent_grant g join client c on c.id = g.client_id where c.partner_id = $1 and c.mode = 'sandbox'
        union select g.id from consent_grant g join test_user u on u.fan_id = g.fan_id where u.partner_id = $1)
      order by id for no key update
    )
    update consent_grant g set revoked_at = $2, revoked_reason = '${REASON}' from alive where g.id = alive.id returning g.id`),
  events: prepared<{ id: Uuid }>(`
    update event set ends_at = $2, starts_at = least(starts_at, $2)
    where mode = 'sandbox' and partner_id = $1 and ends_at > $2 returning id`),
};

const deleteTestUsers = prepared<{ id: Uuid }>('delete from test_user where partner_id = $1 returning fan_id as id');

async function endAll(em: EntityManager, partner: Id<'ptn'>, now: Date, keepTestUsers: boolean): Promise<SandboxReset> {
  const uuid = uuidOf('ptn', partner);
  const idsOf = <Prefix extends IdPrefix>(prefix: Prefix, rows: { id: Uuid }[]) =>
    rows.map(({ id }) => idOf(prefix, id));
  // sessions first: after waiting for a consent in progress, its grant is visible. Then permits before grants
  const clients = await em.find(Client, { partner, mode: 'sandbox' }, { fields: ['id'] });
  const own = { client: { $in: clients.map(({ id }) => id) } };
  const over = { step: 'done', expiresAt: now } as const;
  await em.nativeUpdate(AuthorizationSession, { ...own, step: { $ne: 'done' } }, over);
  const permits = idsOf('perm', await end.permits(em, [uuid, now]));
  const grants = idsOf('grant', await end.grants(em, [uuid, now]));
  await em.nativeDelete(ArmedFailure, own);
  await em.nativeUpdate(SigningKey, { ...own, retiredAt: { $gt: now } }, { retiredAt: now });
  // no edit of the registration: its version stays
  await em.nativeUpdate(Client, { id: own.client }, { simulation: null, version: raw<number>('version') });
  await em.nativeDelete(SandboxKit, own);
  const events = idsOf('evt', await end.events(em, [uuid, now]));
  const testUsers = keepTestUsers ? [] : idsOf('usr', await deleteTestUsers(em, [uuid]));
  return { permits, grants, events, testUsers };
}

/** How many of each a reset of a partner's sandbox would end. */
export type SandboxContents = Record<keyof SandboxReset, number>;

const count = prepared<SandboxContents & { [column: string]: unknown }>(`
  select
    (select count(*)::int from permit p join ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id
       join event e on e.id = tt.event_id
     where p.partner_id = $1 and p.revoked_at is null and e.mode = 'sandbox') as permits,
    (select count(*)::int from (
       select g.id from consent_grant g join client c on c.id = g.client_id
       where c.partner_id = $1 and c.mode = 'sandbox' and ${filterOnly('g.revoked_at is null')}
       union select g.id from consent_grant g join test_user u on u.fan_id = g.fan_id
       where u.partner_id = $1 and ${filterOnly('g.revoked_at is null')}) alive) as grants,
    (select count(*)::int from event where mode = 'sandbox' and partner_id = $1 and ends_at > $2) as events,
    (select count(*)::int from test_user where partner_id = $1) as "testUsers"`);

/** @throws DomainError `not_found` for a malformed identifier */
export async function sandboxContents({ pool, now }: SqlContext, partnerId: string): Promise<SandboxContents> {
  const [row] = await count(pool, [uuidOf('ptn', knownId('ptn', partnerId)), now()]);
  return row ?? { permits: 0, grants: 0, events: 0, testUsers: 0 };
}
