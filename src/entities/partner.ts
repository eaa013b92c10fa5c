import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';

/** A company that integrates with the service and owns OAuth clients. */
const PartnerSchema = defineEntity({
  name: 'Partner',
  properties: {
    id: primaryId('ptn'),
    name: p.string().length(120).unique(),
    createdAt: p.datetime(),
  },
});

export class Partner extends PartnerSchema.class {}
PartnerSchema.setClass(Partner);
