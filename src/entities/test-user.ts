import { defineEntity, p } from '@mikro-orm/core';
import { Fan } from './fan.ts';
import { Partner } from './partner.ts';

/** A sandbox fan with a static code instead of SMS, and the partner that the fan was created for. */
const TestUserSchema = defineEntity({
  name: 'TestUser',
  properties: {
    fan: () => p.oneToOne(Fan).primary(),
    partner: () => p.manyToOne(Partner).index(),
    /** In clear: staff pass it on to partners, and it only gives access to test data. */
    code: p.string().length(6),
    createdAt: p.datetime(),
  },
});

export class TestUser extends TestUserSchema.class {}
TestUserSchema.setClass(TestUser);
