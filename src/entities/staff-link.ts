import { defineEntity, p } from '@mikro-orm/core';
import { Staff } from './staff.ts';

/** A one-time sign-in link, valid for fifteen minutes, where no OIDC provider is configured. */
const StaffLinkSchema = defineEntity({
  name: 'StaffLink',
  properties: {
    secretHash: p.string().length(43).primary(),
    staff: () => p.manyToOne(Staff).index(),
    expiresAt: p.datetime().index(),
    usedAt: p.datetime().nullable(),
  },
});

export class StaffLink extends StaffLinkSchema.class {}
StaffLinkSchema.setClass(StaffLink);
