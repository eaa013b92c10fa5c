import { defineEntity, p } from '@mikro-orm/core';

/** Codes sent to a country in a minute, and how many were verified, for the breaker. */
const CodeTrafficSchema = defineEntity({
  name: 'CodeTraffic',
  properties: {
    /** Start of the minute. */
    minute: p.datetime().primary(),
    /** ISO 3166-1 alpha-2. */
    country: p.string().length(2).primary(),
    sent: p.integer(),
    /** Counted in the minute of sending. */
    verified: p.integer(),
  },
});

export class CodeTraffic extends CodeTrafficSchema.class {}
CodeTrafficSchema.setClass(CodeTraffic);
