import { z } from 'zod';
import { GRANT_MODES, type RevocationReason } from '../../entities/consent-grant.ts';
import { type NotificationType, TEST_TYPE } from '../../entities/notification.ts';
import { type Id, idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { isKnownType } from './notification-types.ts';

/** A notification as it waits. */
export interface WaitingNotification {
  /** A bigint, as text. */
  id: string;
  jti: Uuid;
  lane: Uuid;
  grant_id: Uuid | null;
  fan_id: Uuid | null;
  type: string;
  data: unknown;
  occurred_at: Date;
  attempts: number;
  expires_at: Date;
}

const uuid = z.string().transform((text) => text as Uuid);
const ticket = uuid.transform((id) => idOf('tkt', id));

/** What the triggers write for each type, and what a client gets of it: identifiers and states, no phone, no name. */
const BODIES = {
  'grant.revoked': z.object({ reason: z.string() }),
  'grant.actions_changed': z
    .object({ actions: z.array(z.string()) })
    .transform(({ actions }) => ({ granted_actions: actions })),
  'grant.tickets_changed': z
    .object({ mode: z.enum(GRANT_MODES), tickets: z.array(ticket) })
    .transform(({ mode, tickets }) => ({ grant_mode: mode, ...(mode === 'selected' && { ticket_ids: tickets }) })),
  'ticket.moved': z
    .object({ ticket, tix_ticket_id: z.string(), direction: z.enum(['in', 'out']) })
    .transform(({ ticket: id, ...rest }) => ({ ticket_id: id, ...rest })),
  'claim.settled': z
    .object({ ticket, tix_permit_id: z.string(), transfer_id: z.string(), state: z.enum(['confirmed', 'failed']) })
    .transform(({ ticket: id, ...rest }) => ({ ticket_id: id, ...rest })),
  'listing.ended': z
    .object({ ticket, tix_ticket_id: z.string(), outcome: z.enum(['sold', 'cancelled']).nullable() })
    .transform(({ ticket: id, ...rest }) => ({ ticket_id: id, ...rest })),
  'endpoint.test': z.object({ state: z.string() }),
} satisfies Record<NotificationType, z.ZodType>;

/** What a client gets of a notification. */
export interface NotificationBody {
  type: NotificationType;
  /** The grant that it is about; undefined for a test. */
  grantId: Id<'grant'> | undefined;
  fanId: Id<'usr'> | undefined;
  /** By type. */
  members: Record<string, unknown>;
}

/** @throws Error where the row's data does not fit its type, as after a change of the triggers */
export function bodyOf({ type, data, grant_id: grant, fan_id: fan }: WaitingNotification): NotificationBody {
  if (!isKnownType(type)) throw new Error(`there is no notification type ${type}`);
  if (type !== TEST_TYPE && (grant === null || fan === null)) throw new Error(`a notification ${type} has no grant`);
  return {
    type,
    grantId: grant === null ? undefined : idOf('grant', grant),
    fanId: fan === null ? undefined : idOf('usr', fan),
    members: BODIES[type].parse(data),
  };
}

/** Who ended a grant, in the words of CAEP. @see OpenID CAEP 1.0 §2 */
const INITIATORS: Readonly<Record<RevocationReason, 'admin' | 'user' | 'policy' | 'system'>> = {
  code_reuse: 'policy',
  refresh_token_reuse: 'policy',
  revoked_by_client: 'system',
  revoked_by_staff: 'admin',
  revoked_by_fan: 'user',
  sandbox_reset: 'admin',
  expired: 'policy',
};

/** `initiating_entity` of CAEP; undefined where it is not known. */
export function initiatorOf({ type, members }: NotificationBody): string | undefined {
  if (type === 'grant.actions_changed') return 'user';
  return type === 'grant.revoked' ? INITIATORS[members.reason as RevocationReason] : undefined;
}
