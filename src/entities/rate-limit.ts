import { defineEntity, p } from '@mikro-orm/core';

/** A counter of codes within a window. */
const RateLimitSchema = defineEntity({
  name: 'RateLimit',
  properties: {
    /** The limit's name and a keyed hash of the phone number or IP address. */
    key: p.string().primary(),
    points: p.integer().default(0),
    /** End of the window, in milliseconds since the epoch. */
    expire: p.bigint().nullable().index(),
  },
});

export class RateLimit extends RateLimitSchema.class {}
RateLimitSchema.setClass(RateLimit);
