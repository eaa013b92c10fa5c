import { defineEntity, p } from '@mikro-orm/core';

/** How many codes were counted for somebody in a window. */
const RateLimitSchema = defineEntity({
  name: 'RateLimit',
  properties: {
    /** What is counted and for whom; whoever it is stands there as a keyed hash. */
    key: p.string().primary(),
    points: p.integer().default(0),
    /** When the window ends, in milliseconds since 1970. */
    expire: p.bigint().nullable().index(),
  },
});

export class RateLimit extends RateLimitSchema.class {}
RateLimitSchema.setClass(RateLimit);
