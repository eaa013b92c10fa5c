import { Client } from '../../entities/client.ts';
import type { Partner } from '../../entities/partner.ts';
import type { WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { originsOf } from '../redirect-uri.ts';
import { type ClientRegistration, registrationFault } from './lint-registration.ts';

/**
 * Registers a client, in the caller's unit of work: in sandbox ready immediately, in production as a draft.
 * @throws DomainError `invalid_request` naming the field and its fault
 */
export function registerClient(
  context: WriteContext,
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
