import type { JWTPayload } from 'jose';
import type { WithKeys } from '../../keys/key-ring.ts';
import { signJwt } from '../../keys/sign-jwt.ts';
import type { Context } from '../../platform/context.ts';
import { type Id, idOf } from '../../platform/identifier/type-id.ts';
import { bodyOf, initiatorOf, type NotificationBody, type WaitingNotification } from './notification-body.ts';
import { NOTIFICATION_TYPE_TEXTS } from './notification-types.ts';

/** The content type of a Security Event Token. @see RFC 8417 §7.2 */
export const SET_CONTENT_TYPE = 'application/secevent+jwt';

/**
 * Signs a notification as a Security Event Token with the issuer's current key. `jti` and `toe` are the same in every attempt, `iat` is
 * that of the attempt.
 * @param clientId its audience
 * @throws Error as `bodyOf`; DomainError `unavailable` where there is no key
 * @see RFC 8417 §2.2, RFC 9493 §3.2, OpenID SSF 1.0 §3.2 (complex subjects)
 */
export async function signSet(
  context: Pick<Context, 'config' | 'now'> & WithKeys,
  clientId: Id<'client'>,
  notification: WaitingNotification,
): Promise<string> {
  return signJwt(context, 'secevent+jwt', setPayload(context, clientId, notification));
}

/** The claims of a Security Event Token. */
export function setPayload(
  { config, now }: Pick<Context, 'config' | 'now'>,
  clientId: Id<'client'>,
  notification: WaitingNotification,
): JWTPayload {
  const body = bodyOf(notification);
  const subject = subjectOf(config.authUrl, body);
  return {
    iss: config.authUrl,
    aud: clientId,
    iat: seconds(now()),
    jti: idOf('ntf', notification.jti),
    toe: seconds(notification.occurred_at),
    ...(subject && { sub_id: subject }),
    events: { [NOTIFICATION_TYPE_TEXTS[body.type].uri]: eventOf(body, notification) },
  };
}

/** The fan, and the grant as a session of the client. */
function subjectOf(issuer: string, { fanId, grantId }: NotificationBody) {
  if (fanId === undefined || grantId === undefined) return undefined;
  const user = { format: 'iss_sub', iss: issuer, sub: fanId };
  return { format: 'complex', user, session: { format: 'opaque', id: grantId } };
}

function eventOf(body: NotificationBody, { occurred_at: at }: WaitingNotification): Record<string, unknown> {
  const { type, grantId, members } = body;
  if (type === 'endpoint.test') return members;
  const initiator = initiatorOf(body);
  return {
    event_timestamp: seconds(at),
    ...(initiator !== undefined && { initiating_entity: initiator }),
    grant_id: grantId,
    // claims of the access token have a member of their own in CAEP
    ...(type === 'grant.actions_changed' ? { claims: members } : members),
  };
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000);
}
