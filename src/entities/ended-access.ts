import { defineEntity, p } from '@mikro-orm/core';
import type { Uuid } from '../platform/identifier/type-id.ts';
import { Client } from './client.ts';
import { ConsentGrant, type RevocationReason } from './consent-grant.ts';
import { Event } from './event.ts';
import { Fan } from './fan.ts';
import { TicketType } from './ticket.ts';

/** What took an app's access to sell away, or ended the resale of some tickets. */
export type AccessEndCause =
  | Exclude<RevocationReason, 'expired' | 'sandbox_reset'>
  | 'action_turned_off'
  | 'ticket_not_chosen'
  | 'client_stopped'
  | 'client_suspended'
  | 'fan_stopped'
  | 'not_for_resale'
  | 'resale_over'
  | 'marketplace_stopped';

/** Why a ticket is taken off sale: with the access that put it there, or alone. */
export type SaleEndCause = AccessEndCause | 'taken_off_by_fan' | 'taken_off_by_staff';

/**
 * Access that has ended, and whose sales end with it: of a grant, of a client or of a fan; or of all, to the tickets of a type or event,
 * or to a marketplace. A trigger writes those of grants, so that no code that ends one has to. A row goes once nothing that was co-signed
 * before can appear any more, and everything is being closed.
 */
const EndedAccessSchema = defineEntity({
  name: 'EndedAccess',
  properties: {
    id: p.bigint().primary().autoincrement(),
    grant: () => p.manyToOne(ConsentGrant).nullable().deleteRule('cascade').index(),
    client: () => p.manyToOne(Client).nullable().deleteRule('cascade').index(),
    fan: () => p.manyToOne(Fan).nullable().deleteRule('cascade').index(),
    ticketType: () => p.manyToOne(TicketType).nullable().deleteRule('cascade').index(false),
    event: () => p.manyToOne(Event).nullable().deleteRule('cascade').index(false),
    /** Base58. */
    marketplace: p.string().length(44).nullable(),
    /** `uuid`s of the tickets that a narrowed grant still has: their sales stay. */
    keptTickets: p.array().columnType('uuid[]').$type<Uuid[]>(),
    cause: p.string().length(40).$type<AccessEndCause>(),
    endedAt: p.datetime(),
    /** Whether all open listings were looked through: after that, only new ones are. */
    walked: p.boolean().default(false),
    /** Of a client whose grants are to end: who decided it, as audit entries name them; null where they stay. */
    grantsEndedBy: p.string().length(120).nullable(),
    /** The reason that was given for it. */
    note: p.text().nullable(),
  },
});

export class EndedAccess extends EndedAccessSchema.class {}
EndedAccessSchema.setClass(EndedAccess);
