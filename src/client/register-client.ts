import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Client } from '../entities/client.ts';
import type { Partner } from '../entities/partner.ts';
import { DomainError } from '../errors.ts';
import { originsOf } from '../oauth/redirect-uri.ts';
import { type ClientRegistration, registrationFault } from './lint-registration.ts';

/** Clients: registering, editing, reviewing, enabling and suspending them. */

/**
 * Registers a client. In sandbox it is ready at once; in production it begins as a draft that review must enable. Written
 * with the caller's unit of work.
 * @throws DomainError `invalid_request` naming the field and what is wrong with it
 */
export function registerClient(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  partner: Partner,
  registration: ClientRegistration,
  actor: string,
): Client {
  const fault = registrationFault(registration);
  if (fault !== undefined) throw new DomainError('invalid_request', fault);
  const { em, now } = context;
  const client = em.create(Client, {
    ...registration,
    name: registration.name.trim(),
    partner,
    status: registration.mode === 'sandbox' ? 'sandbox-ready' : 'draft',
    corsOrigins: originsOf(registration.redirectUris),
    createdAt: now(),
    updatedAt: now(),
  });
  recordAudit(context, { actor, action: 'client.registered', subject: client.id, details: { ...registration } });
  return client;
}
