/**
 * Notifications: changes of a client's grants, sent to the client without its asking (D-310). Triggers of the database write them in the
 * transaction of the change (`entities/migrations/2026-11-24-notification-triggers.ts`); this room sends them and records the result.
 *
 * They are Security Event Tokens or webhooks. The word "event" is not used for them in the code: an event is what tickets are for.
 *
 * @module
 */
import { NOTIFICATION_TYPES, type NotificationType, TEST_TYPE } from '../../entities/notification.ts';

interface TypeDescription {
  /** The key in the `events` claim of a Security Event Token. */
  uri: string;
  /** For partners: what has happened. */
  says: string;
}

/** Every type. CAEP and SSF have three of them; the others have no counterpart there. @see OpenID CAEP 1.0 §3, OpenID SSF 1.0 §8.1.4 */
export const NOTIFICATION_TYPE_TEXTS: Readonly<Record<NotificationType, TypeDescription>> = {
  'grant.revoked': {
    uri: 'https://schemas.openid.net/secevent/caep/event-type/session-revoked',
    says: 'A grant has ended: its tokens no longer work.',
  },
  'grant.actions_changed': {
    uri: 'https://schemas.openid.net/secevent/caep/event-type/token-claims-change',
    says: 'The fan turned actions of a grant off or on.',
  },
  'grant.tickets_changed': {
    uri: 'urn:fan-api:event:grant-tickets-changed',
    says: 'The tickets that a grant covers are others now.',
  },
  'ticket.moved': {
    uri: 'urn:fan-api:event:ticket-moved',
    says: 'A ticket left the fan of a grant, or came to them.',
  },
  'claim.settled': {
    uri: 'urn:fan-api:event:claim-settled',
    says: 'A claim was confirmed onchain, or failed.',
  },
  'listing.ended': {
    uri: 'urn:fan-api:event:listing-ended',
    says: 'A listing that you had signed was sold or cancelled.',
  },
  'endpoint.test': {
    uri: 'https://schemas.openid.net/secevent/ssf/event-type/verification',
    says: 'A test that a person of the partner asked for.',
  },
};

/** Whether a text is a type that an endpoint can ask for. */
export function isNotificationType(text: string): text is Exclude<NotificationType, typeof TEST_TYPE> {
  return NOTIFICATION_TYPES.some((type) => type === text);
}

export function isKnownType(text: string): text is NotificationType {
  return text === TEST_TYPE || isNotificationType(text);
}
