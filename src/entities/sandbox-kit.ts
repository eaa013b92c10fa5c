import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { Client } from './client.ts';
import { Event } from './event.ts';
import { Fan } from './fan.ts';

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
