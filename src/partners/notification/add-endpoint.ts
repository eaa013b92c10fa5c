import { LockMode } from '@mikro-orm/core';
import { Client } from '../../entities/client.ts';
import { NotificationEndpoint, type NotificationFormat } from '../../entities/notification.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { nothingUnder } from '../../platform/identifier/known-id.ts';
import { type Id, newId } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { addSecret, makeSecret } from './endpoint-secrets.ts';
import { endpointUrlFault } from './endpoint-url.ts';
import { isNotificationType } from './notification-types.ts';

/** Endpoints of a client. */
export const MOST_ENDPOINTS = 5;

export type EndpointContext = Pick<Context, 'em' | 'now' | 'config' | 'requestId'> & WithSecrets;

export interface EndpointWish {
  format: NotificationFormat;
  /** Absent for `set_poll`. */
  url?: string | null | undefined;
  types: readonly string[];
}

/** An endpoint with a secret that is shown once; null for `set_push`. */
export interface EndpointWithSecret {
  endpoint: NotificationEndpoint;
  secret: string | null;
}

/**
 * Adds an endpoint to a client. The caller checks that the client is the partner's.
 * @throws DomainError `invalid_request` naming the field, `conflict` where the client has too many
 */
export async function addEndpoint(
  context: EndpointContext,
  clientId: Id<'client'>,
  wish: EndpointWish,
  actor: string,
): Promise<EndpointWithSecret> {
  const { format } = wish;
  const url = checkUrl(context, format, wish.url ?? undefined);
  const types = checkTypes(wish.types);
  const id = newId('nep');
  const secret = await makeSecret(context, id, format);
  return context.em.fork().transactional(async (em) => {
    // of two at once, the second counts the endpoint of the first
    const client = await em.findOne(Client, { id: clientId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!client) throw nothingUnder('client', clientId);
    if ((await em.count(NotificationEndpoint, { client: clientId })) >= MOST_ENDPOINTS) {
      throw new DomainError('conflict', `A client can have up to ${MOST_ENDPOINTS} endpoints. Remove one first.`);
    }
    const endpoint = em.create(NotificationEndpoint, { id, client, format, url, types, createdAt: context.now() });
    await em.flush();
    if (secret) await addSecret(em, id, secret, context.now());
    const details = { client: clientId, format, url, types };
    recordAudit({ ...context, em }, { actor, action: 'notification_endpoint.added', subject: id, details });
    return { endpoint, secret: secret?.value ?? null };
  });
}

/** @throws DomainError `invalid_request` */
export function checkUrl(
  context: Pick<Context, 'config'>,
  format: NotificationFormat,
  url: string | undefined,
): string | null {
  if (format === 'set_poll') {
    if (url === undefined) return null;
    throw new DomainError('invalid_request', 'url: an endpoint that polls has none.');
  }
  const fault = url === undefined ? 'is required' : endpointUrlFault(context.config, url.trim());
  if (fault !== undefined) throw new DomainError('invalid_request', `url ${fault}.`);
  return url?.trim() ?? null;
}

/** @returns without duplicates @throws DomainError `invalid_request` */
export function checkTypes(types: readonly string[]): string[] {
  if (types.length === 0) throw new DomainError('invalid_request', 'types must have at least one entry.');
  const wrong = types.find((type) => !isNotificationType(type));
  if (wrong !== undefined) {
    throw new DomainError('invalid_request', `types: there is no type ${JSON.stringify(wrong.slice(0, 60))}.`);
  }
  return [...new Set(types)];
}
