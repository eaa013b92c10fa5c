import { defineEntity, p } from '@mikro-orm/core';

/** Codes that went to a country's phones in a minute, and how many of them were typed in: what the breaker judges by. */
const CodeTrafficSchema = defineEntity({
  name: 'CodeTraffic',
  properties: {
    /** The minute's beginning. */
    minute: p.datetime().primary(),
    /** ISO 3166-1 alpha-2. */
    country: p.string().length(2).primary(),
    sent: p.integer(),
    /** Counted in the minute in which the code was sent. */
    verified: p.integer(),
  },
});

export class CodeTraffic extends CodeTrafficSchema.class {}
CodeTrafficSchema.setClass(CodeTraffic);
