import { defineEntity, p } from '@mikro-orm/core';

/**
 * There while no codes are sent to a country, or to any, because hardly any of them were typed in. Once `retryAt` has
 * come, a few codes go out on trial, and how many of those are typed in decides.
 */
const CodeBreakerSchema = defineEntity({
  name: 'CodeBreaker',
  properties: {
    /** ISO 3166-1 alpha-2 of a country, or `all`. */
    scope: p.string().length(3).primary(),
    openedAt: p.datetime(),
    retryAt: p.datetime(),
    /** How often sending was stopped in a row. */
    trips: p.integer(),
    /** Codes sent on trial since `retryAt`. */
    trials: p.integer(),
    lastTrialAt: p.datetime().nullable(),
    /** How many of the trial codes were typed in. */
    verified: p.integer(),
  },
});

export class CodeBreaker extends CodeBreakerSchema.class {}
CodeBreakerSchema.setClass(CodeBreaker);
