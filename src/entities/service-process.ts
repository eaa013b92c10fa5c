import { defineEntity, p } from '@mikro-orm/core';

/**
 * A process of this service, as far as others must know it: which of its calls wait for an answer of the database, or have lost it
 * (`database/doubts.ts`).
 */
const ServiceProcessSchema = defineEntity({
  name: 'ServiceProcess',
  properties: {
    id: p.uuid().primary(),
    /** At most a minute old while it runs. */
    seenAt: p.datetime(),
    /** When it ended in good order. */
    endedAt: p.datetime().nullable(),
    /** How often other processes have asked for `doubtful`, and which of these questions it answers. */
    asked: p.integer().default(0),
    answered: p.integer().default(0),
    doubtful: p.array(),
  },
});

export class ServiceProcess extends ServiceProcessSchema.class {}
ServiceProcessSchema.setClass(ServiceProcess);
