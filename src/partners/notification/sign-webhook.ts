import { Webhook } from 'standardwebhooks';
import { idOf } from '../../platform/identifier/type-id.ts';
import { bodyOf, type WaitingNotification } from './notification-body.ts';

export interface SignedWebhook {
  headers: Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;
  /** JSON. */
  body: string;
}

/**
 * Signs a notification as a Standard Webhook, with each secret that is valid: the receiver needs one of the signatures only.
 * @param secrets as the partner has them, `whsec_…`
 * @throws Error as `bodyOf`
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signWebhook(notification: WaitingNotification, secrets: readonly string[], at: Date): SignedWebhook {
  const id = idOf('ntf', notification.jti);
  const body = webhookBody(notification);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

/** The body of a webhook, as JSON. @throws Error as `bodyOf` */
export function webhookBody(notification: WaitingNotification): string {
  const { type, fanId, grantId, members } = bodyOf(notification);
  return JSON.stringify({
    type,
    timestamp: notification.occurred_at.toISOString(),
    data: { ...(fanId && { sub: fanId }), ...(grantId && { grant_id: grantId }), ...members },
  });
}
