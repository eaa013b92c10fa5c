import { LockMode } from '@mikro-orm/core';
import { Client } from '../entities/client.ts';
import { Partner } from '../entities/partner.ts';
import { SandboxKit } from '../entities/test-user.ts';
import type { WithCustody } from '../keys/vault.ts';
import type { WithConfig, WriteContext } from '../platform/context.ts';
import { rowUnder } from '../platform/database/row-under.ts';
import { DomainError } from '../platform/errors.ts';
import { recordAudit } from '../record/audit/record-audit.ts';
import { createTestEvent } from './create-test-event.ts';
import { planOf } from './starter-kit.ts';
import { grantPermit } from './test-permits.ts';
import { createTestUser } from './test-users.ts';

const EVENT = {
  name: 'Opening Night',
  venue: 'The Old Depot',
  timeZone: 'Europe/Berlin',
  inDays: 45,
  hours: 4,
  ticketTypes: ['Standing', 'Seated', 'Backstage'],
};
/** So that a partner meets a ticket that can't be put on sale. */
const NOT_FOR_RESALE = ['Backstage'];

/**
 * Creates test data for a new integration: a test user, a test event of the client's partner, and a permit for each of its three
 * ticket types, of which one is not for resale. Idempotent by `requestKey`.
 * @param request.requestKey 1 to 100 ASCII characters of the caller's choice
 * @throws DomainError `not_found`; `invalid_request` for a production client
 */
export async function createClientKit(
  context: WriteContext & WithConfig & WithCustody,
  request: { clientId: string; requestKey: string },
  actor: string,
): Promise<SandboxKit> {
  const { clientId, requestKey } = request;
  if (!/^[\x20-\x7e]{1,100}$/.test(requestKey)) {
    throw new DomainError('invalid_request', 'requestKey must have 1 to 100 ASCII characters.');
  }
  return context.em.transactional(async (em) => {
    const known = await rowUnder(em, Client, 'client', clientId);
    // before the client, as a reset does: it may wait for consents, which lock the client
    await em.findOneOrFail(Partner, { id: known.partner.id }, { lockMode: LockMode.PESSIMISTIC_READ });
    // serialised per client, so that the second of two clicks finds the kit of the first
    const client = await em.refreshOrFail(known, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (client.mode !== 'sandbox') throw new DomainError('invalid_request', `${client.name} is not a sandbox client.`);
    const existing = await em.findOne(SandboxKit, { client, requestKey });
    return existing ?? create({ ...context, em }, client, requestKey, actor);
  });
}

async function create(
  context: WriteContext & WithConfig & WithCustody,
  client: Client,
  requestKey: string,
  actor: string,
): Promise<SandboxKit> {
  const { em, now } = context;
  const partner = await em.findOneOrFail(Partner, client.partner.id);
  const { fan } = await createTestUser(context, partner, actor);
  const { event, ticketTypes } = createTestEvent(
    context,
    { ...planOf(EVENT, now()), notForResale: NOT_FOR_RESALE, partner },
    actor,
  );
  for (const ticketType of ticketTypes) grantPermit(context, { fan, partner, ticketType }, actor);
  const kit = em.create(SandboxKit, { client, requestKey, fan, event, createdAt: now() });
  recordAudit(context, {
    actor,
    action: 'sandbox_kit.created',
    subject: client.id,
    details: { kit: kit.id, fan: fan.id, event: event.id },
  });
  return kit;
}
