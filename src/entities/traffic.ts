import { defineEntity, p } from '@mikro-orm/core';

/** How often something happened in five minutes: what the dashboards add up, kept for 31 days. */
const TrafficSchema = defineEntity({
  name: 'Traffic',
  tableName: 'traffic',
  indexes: [
    {
      name: 'traffic_one_each',
      expression:
        'create unique index traffic_one_each on traffic (bucket, client_id, operation, status, outcome) nulls not distinct',
    },
    { properties: ['client', 'bucket'] },
  ],
  properties: {
    id: p.bigint().primary().autoincrement(),
    /** Beginning of the five minutes. */
    bucket: p.datetime(),
    client: p.uuid().nullable().name('client_id'),
    operation: p.string().length(40),
    status: p.smallint(),
    outcome: p.string().length(60),
    count: p.integer(),
    totalMs: p.bigint(),
  },
});

export class Traffic extends TrafficSchema.class {}
TrafficSchema.setClass(Traffic);
