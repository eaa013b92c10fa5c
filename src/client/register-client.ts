import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Client } from '../entities/client.ts';
import type { Mode } from '../entities/mode.ts';
import type { Partner } from '../entities/partner.ts';
import { DomainError } from '../errors.ts';
import { originsOf, redirectUriFault } from '../oauth/redirect-uri.ts';
import { ALL_SCOPES } from '../oauth/scopes.ts';

/** Clients: registering, reviewing and enabling them. */
export interface ClientRegistration {
  /** 1 to 120 characters; fans see it. */
  name: string;
  mode: Mode;
  redirectUris: string[];
  scopes: string[];
}

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
    partner,
    status: registration.mode === 'sandbox' ? 'sandbox-ready' : 'draft',
    corsOrigins: originsOf(registration.redirectUris),
    createdAt: now(),
    updatedAt: now(),
  });
  recordAudit(context, { actor, action: 'client.registered', subject: client.id, details: { ...registration } });
  return client;
}

function registrationFault({ name, mode, redirectUris, scopes }: ClientRegistration): string | undefined {
  if (name.trim().length < 1 || name.length > 120) return 'name must have 1 to 120 characters.';
  if (redirectUris.length < 1 || redirectUris.length > 50) return 'redirectUris must have 1 to 50 entries.';
  for (const [index, uri] of redirectUris.entries()) {
    const fault = redirectUriFault(uri, mode);
    if (fault !== undefined) return `redirectUris[${index}] ${fault}.`;
    if (redirectUris.indexOf(uri) < index) return `redirectUris[${index}] is there twice.`;
  }
  const unknown = scopes.find((scope) => !ALL_SCOPES.includes(scope));
  if (unknown !== undefined) return `scopes: ${unknown.slice(0, 60)} is not a scope of this server.`;
  const twice = scopes.find((scope, index) => scopes.indexOf(scope) < index);
  if (twice !== undefined) return `scopes: ${twice} is there twice.`;
  if (scopes.length === 0) return 'scopes must have at least one entry.';
  return undefined;
}
