import type { EntityManager } from '@mikro-orm/core';
import { Client } from '../../entities/client.ts';
import { NotificationEndpoint, type NotificationFormat } from '../../entities/notification.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { Context, WithConfig, WriteContext } from '../../platform/context.ts';
import { LOCKED, rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId } from '../../platform/identifier/known-id.ts';
import { type Id, newId } from '../../platform/identifier/type-id.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { addSecret, makeSecret } from './endpoint-secrets.ts';
import { endpointUrlFault } from './endpoint-url.ts';
import { isNotificationType } from './notification-types.ts';

/** Omitted members stay as they are. */
export interface EndpointChanges {
  url?: string;
  types?: readonly string[];
  /** Whether it gets notifications. */
  enabled?: boolean;
}

/**
 * Changes an endpoint. One that is enabled again starts without failures; what happened while it was disabled was not recorded. The
 * caller checks that the endpoint is the partner's.
 * @throws DomainError `invalid_request` naming the field, `not_found`
 */
export async function changeEndpoint(
  context: EndpointContext,
  id: Id<'nep'>,
  { url, types, enabled }: EndpointChanges,
  actor: string,
): Promise<NotificationEndpoint> {
  return context.em.fork().transactional(async (em) => {
    const endpoint = await lockedEndpoint(em, id);
    const before = settingsOf(endpoint);
    if (url !== undefined) endpoint.url = checkUrl(context, endpoint.format, url);
    if (types !== undefined) endpoint.types = checkTypes(types);
    if (enabled === true && endpoint.disabledAt) {
      endpoint.disabledAt = null;
      endpoint.disabledReason = null;
    }
    if (enabled === false && !endpoint.disabledAt) {
      endpoint.disabledAt = context.now();
      endpoint.disabledReason = 'partner';
    }
    if (url !== undefined || enabled === true) {
      endpoint.failures = 0;
      endpoint.failingSince = null;
      endpoint.restUntil = null;
    }
    const after = settingsOf(endpoint);
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      const details = { before, after };
      recordAudit({ ...context, em }, { actor, action: 'notification_endpoint.changed', subject: id, details });
    }
    return endpoint;
  });
}

/** Removes an endpoint with all that was recorded for it. @throws DomainError `not_found` */
export async function removeEndpoint(context: WriteContext, id: Id<'nep'>, actor: string): Promise<Id<'client'>> {
  return context.em.fork().transactional(async (em) => {
    const { client } = await lockedEndpoint(em, id);
    const details = { client: client.id };
    recordAudit({ ...context, em }, { actor, action: 'notification_endpoint.removed', subject: id, details });
    await em.nativeDelete(NotificationEndpoint, { id });
    return client.id;
  });
}

/**
 * Gives an endpoint another secret. The previous one stays valid for a day: both sign, or both tokens are accepted.
 * @throws DomainError `not_found`, `conflict` for `set_push`, which has none
 */
export async function rotateEndpointSecret(
  context: EndpointContext,
  id: Id<'nep'>,
  actor: string,
): Promise<EndpointWithSecret> {
  return context.em.fork().transactional(async (em) => {
    const endpoint = await lockedEndpoint(em, id);
    const secret = await makeSecret(context, id, endpoint.format);
    if (!secret) {
      throw new DomainError(
        'conflict',
        'This endpoint has no secret: its tokens are signed with the keys of the issuer, which rotate automatically.',
      );
    }
    await addSecret(em, id, secret, context.now());
    const details = { client: endpoint.client.id };
    recordAudit({ ...context, em }, { actor, action: 'notification_endpoint.secret_rotated', subject: id, details });
    return { endpoint, secret: secret.value };
  });
}

/** An endpoint, locked to serialize changes. @throws DomainError `not_found` */
export async function lockedEndpoint(em: EntityManager, id: Id<'nep'>): Promise<NotificationEndpoint> {
  return rowUnder(em, NotificationEndpoint, 'nep', id, LOCKED);
}

function settingsOf({ url, types, disabledAt }: NotificationEndpoint): Record<string, unknown> {
  return { url, types, enabled: !disabledAt };
}

type Work = Pick<Context, 'em' | 'now' | 'requestId' | 'staffToken'>;

/**
 * Pauses an endpoint as a member of staff: nothing is sent, and what happens meanwhile waits. A paused one keeps its first reason.
 * @throws DomainError `invalid_request`, `not_found`
 */
export function pauseEndpoint(
  context: Work,
  endpointId: string,
  why: string,
  actor: string,
): Promise<NotificationEndpoint> {
  return setPaused(context, { endpointId, why, actor, isPaused: true });
}

/** Resumes an endpoint. Repeating it changes nothing. @throws DomainError `invalid_request`, `not_found` */
export function resumeEndpoint(
  context: Work,
  endpointId: string,
  why: string,
  actor: string,
): Promise<NotificationEndpoint> {
  return setPaused(context, { endpointId, why, actor, isPaused: false });
}

async function setPaused(
  context: Work,
  { endpointId, why, actor, isPaused }: { endpointId: string; why: string; actor: string; isPaused: boolean },
): Promise<NotificationEndpoint> {
  const id = knownId('nep', endpointId);
  const reason = givenReason(why);
  return context.em.fork().transactional(async (em) => {
    const endpoint = await lockedEndpoint(em, id);
    if ((endpoint.pausedAt !== null) === isPaused) return endpoint;
    endpoint.pausedAt = isPaused ? context.now() : null;
    endpoint.pausedBy = isPaused ? actor : null;
    endpoint.pauseReason = isPaused ? reason : null;
    const action = isPaused ? 'notification_endpoint.paused' : 'notification_endpoint.resumed';
    recordAudit({ ...context, em }, { actor, action, subject: id, details: { reason } });
    return endpoint;
  });
}

/** Endpoints of a client. */
const MOST_ENDPOINTS = 5;

type EndpointContext = WriteContext & WithConfig & WithSecrets;

interface EndpointWish {
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
    // of two concurrent calls, the second counts the endpoint of the first
    const client = await rowUnder(em, Client, 'client', clientId, LOCKED);
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
function checkUrl(context: WithConfig, format: NotificationFormat, url: string | undefined): string | null {
  if (format === 'set_poll') {
    if (url === undefined) return null;
    throw new DomainError('invalid_request', 'url: an endpoint that polls has none.');
  }
  const fault = url === undefined ? 'is required' : endpointUrlFault(context.config, url.trim());
  if (fault !== undefined) throw new DomainError('invalid_request', `url ${fault}.`);
  return url?.trim() ?? null;
}

/** @returns without duplicates @throws DomainError `invalid_request` */
function checkTypes(types: readonly string[]): string[] {
  if (types.length === 0) throw new DomainError('invalid_request', 'types must have at least one entry.');
  const wrong = types.find((type) => !isNotificationType(type));
  if (wrong !== undefined) {
    throw new DomainError('invalid_request', `types: there is no type ${JSON.stringify(wrong.slice(0, 60))}.`);
  }
  return [...new Set(types)];
}
