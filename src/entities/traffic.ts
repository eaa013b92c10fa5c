import { defineEntity, p } from '@mikro-orm/core';

/**
 * How often something happened in a stretch of time: what the dashboards add up. The same is counted for five minutes and
 * for an hour (kept for two days) and for a day of UTC (kept for 31), so that each chart reads few rows.
 */
const TrafficSchema = defineEntity({
  name: 'Traffic',
  indexes: [
    {
      name: 'traffic_one_each',
      expression:
        'create unique index traffic_one_each on traffic (span_minutes, bucket, client_id, operation, status, outcome) nulls not distinct',
    },
    { properties: ['client', 'spanMinutes', 'bucket'] },
  ],
  properties: {
    id: p.bigint().primary().autoincrement(),
    /** 5, 60 or 1440. */
    spanMinutes: p.smallint(),
    /** Its beginning. */
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
