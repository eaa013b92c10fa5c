import type { Notification, NotificationEndpoint } from '../../entities/notification.ts';
import type { Context } from '../../platform/context.ts';
import { uuidOf } from '../../platform/identifier/type-id.ts';
import type { WaitingNotification } from './notification-body.ts';
import { setPayload } from './sign-set.ts';
import { webhookBody } from './sign-webhook.ts';

/**
 * What an endpoint gets of a notification, as indented JSON, for people: the body of a webhook, or the claims of a Security Event
 * Token without `iat`, which is the time of each attempt. Null where it can't be read.
 */
export function shownPayload(
  context: Pick<Context, 'config' | 'now'>,
  { format, client }: NotificationEndpoint,
  notification: Notification,
): string | null {
  try {
    const waiting = waitingOf(notification);
    if (format === 'standard_webhooks') return indented(JSON.parse(webhookBody(waiting)));
    const { iat: _, ...claims } = setPayload(context, client.id, waiting);
    return indented(claims);
  } catch {
    // its data does not fit its type, as after a change of the triggers: it is never sent either
    return null;
  }
}

function waitingOf({ id, jti, lane, type, data, ...row }: Notification): WaitingNotification {
  return {
    ...{ id: String(id), jti: uuidOf('ntf', jti), lane, type, data },
    grant_id: row.grantId ?? null,
    fan_id: row.fanId ?? null,
    occurred_at: row.occurredAt,
    attempts: row.attempts,
    expires_at: row.expiresAt,
  };
}

const indented = (value: unknown): string => JSON.stringify(value, null, 2);
