import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { sqlIndex } from './sql-index.ts';

/** A company that integrates with the service and owns OAuth clients. */
const PartnerSchema = defineEntity({
  name: 'Partner',
  indexes: [sqlIndex('partner_by_name', 'on partner (lower(name), id)')],
  properties: {
    id: primaryId('ptn'),
    name: p.string().length(120).unique(),
    createdAt: p.datetime(),
  },
});

export class Partner extends PartnerSchema.class {}
PartnerSchema.setClass(Partner);
