import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { Client } from './client.ts';
import { Event } from './event.ts';
import { Fan } from './fan.ts';
import { Partner } from './partner.ts';

/** A sandbox fan with a static code instead of SMS. */
const TestUserSchema = defineEntity({
  name: 'TestUser',
  properties: {
    fan: () => p.oneToOne(Fan).primary(),
    /** The only partner whose sandbox clients can use it; null for every partner. */
    partner: () => p.manyToOne(Partner).nullable().deleteRule('no action').index(),
    /** In clear: staff pass it on to partners, and it only gives access to test data. */
    code: p.string().length(6),
    createdAt: p.datetime(),
  },
});

export class TestUser extends TestUserSchema.class {}
TestUserSchema.setClass(TestUser);

/** A starter kit for a sandbox client. `requestKey` is its idempotency key. */
const SandboxKitSchema = defineEntity({
  name: 'SandboxKit',
  uniques: [{ properties: ['client', 'requestKey'] }],
  properties: {
    id: primaryId('kit'),
    client: () => p.manyToOne(Client),
    requestKey: p.string().length(100),
    /** Its test user. */
    fan: () => p.manyToOne(Fan),
    event: () => p.manyToOne(Event),
    createdAt: p.datetime(),
  },
});

export class SandboxKit extends SandboxKitSchema.class {}
SandboxKitSchema.setClass(SandboxKit);
