import { defineEntity, p } from '@mikro-orm/core';
import { Fan } from './fan.ts';
import { Partner } from './partner.ts';

/** What makes a sandbox fan a test user: the static code that replaces the SMS, and the partner it was made for. */
const TestUserSchema = defineEntity({
  name: 'TestUser',
  properties: {
    fan: () => p.oneToOne(Fan).primary(),
    partner: () => p.manyToOne(Partner).index(),
    /** In clear: staff read it out to partners, and it opens nothing but test data. */
    code: p.string().length(6),
    createdAt: p.datetime(),
  },
});

export class TestUser extends TestUserSchema.class {}
TestUserSchema.setClass(TestUser);
