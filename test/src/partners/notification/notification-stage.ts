import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { decodeJwt } from 'jose';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import {
  NOTIFICATION_TYPES,
  Notification,
  NotificationEndpoint,
  type NotificationFormat,
} from '../../../../src/entities/notification.ts';
import { revokeGrant } from '../../../../src/oauth/grant/revoke-grant.ts';
import { addEndpoint, type EndpointWithSecret } from '../../../../src/partners/notification/change-endpoint.ts';
import { createDeliverer, type DeliveryOptions } from '../../../../src/partners/notification/deliver-notifications.ts';
import { type Id, newId } from '../../../../src/platform/identifier/type-id.ts';
import { registerFan } from '../../../../src/sign-in/fan/register-fan.ts';
import { listen } from '../../../support/listen.ts';
import type { TestApp } from '../../../support/start-app.ts';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** What a receiver answers; by default 202. */
type Answer = (received: Received, response: ServerResponse) => void;

export interface Receiver {
  url: string;
  received: Received[];
  answer: Answer;
}

const accept: Answer = (_, response) => void response.writeHead(202).end();

/** A partner's server on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const receiver: Receiver = { url: '', received, answer: accept };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { headers: request.headers, body };
    received.push(one);
    receiver.answer(one, response);
  });
  // a test may start its own: none holds up the end of the process
  const { url } = await listen(server.unref());
  receiver.url = `${url}/events`;
  return receiver;
}

/** Adds an endpoint of the starter kit's client, for every type. */
export function endpointOf(
  app: TestApp,
  format: NotificationFormat,
  url?: string,
  clientId = app.kit.client_id as Id<'client'>,
): Promise<EndpointWithSecret> {
  return addEndpoint(app.context(), clientId, { format, url, types: NOTIFICATION_TYPES }, 'system');
}

/** A receiver with its endpoint at the starter kit's client, and grants of one fan. */
export async function stageOf(app: TestApp, grants: number, format: NotificationFormat = 'set_push') {
  const receiver = await startReceiver();
  const { endpoint, secret } = await endpointOf(app, format, receiver.url);
  const states = async () => (await notificationsOf(app, endpoint)).map(({ state }) => state);
  const made = await makeGrants(app, grants);
  return { receiver, endpoint, secret, states, grants: made, grant: made[0] as Id<'grant'> };
}

/** What a receiver answers from now on. */
export function answers(receiver: Receiver, status: number, headers: Record<string, string> = {}): void {
  receiver.answer = (_, response) => void response.writeHead(status, headers).end();
}

/** Ends grants, as staff do. */
export async function revokeAll(app: TestApp, grants: readonly Id<'grant'>[]): Promise<void> {
  for (const grantId of grants) {
    await revokeGrant(app.context(), { grantId, reason: 'revoked_by_staff', actor: 'staff:someone' });
  }
}

let phones = 0;

/** Grants of one fan to a client, of all tickets. */
export async function makeGrants(
  app: TestApp,
  count: number,
  clientId = app.kit.client_id as Id<'client'>,
): Promise<Id<'grant'>[]> {
  const context = app.context();
  const { em, now } = context;
  phones += 1;
  const fan = await registerFan(context, 'sandbox', `+1555${String(phones).padStart(7, '0')}`);
  const ids = Array.from({ length: count }, () => newId('grant'));
  for (const id of ids) {
    em.create(ConsentGrant, {
      id,
      fan: fan.id,
      client: clientId,
      scope: 'openid fan:tickets:read fan:listings:write',
      actions: ['fan:tickets:read', 'fan:listings:write'],
      consentedActions: ['fan:tickets:read', 'fan:listings:write'],
      mode: 'all_current_future',
      ticketIds: [],
      createdAt: now(),
      endsAfter: new Date(now().getTime() + 86_400_000),
    });
  }
  await em.flush();
  return ids;
}

/** A deliverer over the app, with the rate of a test. */
export function delivererOf(app: TestApp, options: DeliveryOptions = {}) {
  return createDeliverer(
    () => ({ ...app.context(), config: { ...app.config, notifications: { rate: 5_000, loopback: true } } }),
    options,
  );
}

/** What waits, was delivered or is dead, in the order in which it was written. */
export function notificationsOf(app: TestApp, endpoint: Pick<NotificationEndpoint, 'id'>): Promise<Notification[]> {
  return app.context().em.find(Notification, { endpoint: endpoint.id }, { orderBy: { id: 'asc' } });
}

export function readEndpoint(app: TestApp, { id }: Pick<NotificationEndpoint, 'id'>): Promise<NotificationEndpoint> {
  return app.context().em.findOneOrFail(NotificationEndpoint, { id });
}

/** The only event of a token, with the grant that it is about. */
export function eventIn(token: string) {
  const {
    jti,
    events,
    sub_id: subject,
  } = decodeJwt(token) as {
    jti: string;
    events: Record<string, Record<string, unknown>>;
    sub_id?: { session: { id: string } };
  };
  const [[uri, members] = ['', {}]] = Object.entries(events);
  return { jti, uri, members, grant: subject?.session.id };
}
