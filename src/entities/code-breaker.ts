import { defineEntity, p } from '@mikro-orm/core';

/** A circuit breaker: no codes are sent to a country, or to any, because few were verified. From `retryAt` on, trial codes decide. */
const CodeBreakerSchema = defineEntity({
  name: 'CodeBreaker',
  properties: {
    /** ISO 3166-1 alpha-2 of a country, or `all`. */
    scope: p.string().length(3).primary(),
    openedAt: p.datetime(),
    retryAt: p.datetime(),
    /** Consecutive trips. */
    trips: p.integer(),
    /** Trial codes sent since `retryAt`. */
    trials: p.integer(),
    lastTrialAt: p.datetime().nullable(),
    /** Trial codes verified. */
    verified: p.integer(),
  },
});

export class CodeBreaker extends CodeBreakerSchema.class {}
CodeBreakerSchema.setClass(CodeBreaker);
