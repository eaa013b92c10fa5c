import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { Partner } from './partner.ts';
import { Ticket } from './ticket.ts';

/** The onchain right to a ticket; without a live one a ticket is shown to nobody. */
const PermitSchema = defineEntity({
  name: 'Permit',
  properties: {
    id: primaryId('perm'),
    ticket: () => p.oneToOne(Ticket).owner(),
    /** Sandbox: the integration that it was provisioned for. Production: null, for every integration. */
    partner: () => p.manyToOne(Partner).nullable().deleteRule('restrict').index(),
    /** Address of the onchain Permit account, base58: the `tix_permit_id` of the Fan API. */
    tixPermitId: p.string().length(44).unique(),
    createdAt: p.datetime(),
    /** When the Permit account was seen on the chain; null until then. */
    issuedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    /** Slot of the newest onchain state that was taken in; older ones no longer count. */
    chainSlot: p.bigint().nullable(),
  },
});

export class Permit extends PermitSchema.class {}
PermitSchema.setClass(Permit);
