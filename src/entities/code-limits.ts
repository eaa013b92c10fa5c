import { defineEntity, p } from '@mikro-orm/core';
import { MODES } from '../platform/mode.ts';

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

/** Codes sent on a day, to all countries. */
const CodeBudgetSchema = defineEntity({
  name: 'CodeBudget',
  properties: {
    /** UTC. */
    day: p.date().primary(),
    sent: p.integer(),
  },
});

export class CodeBudget extends CodeBudgetSchema.class {}
CodeBudgetSchema.setClass(CodeBudget);

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

/** Wrong codes for a number within a window, over all sessions. */
const PhoneTriesSchema = defineEntity({
  name: 'PhoneTries',
  properties: {
    mode: p.enum(MODES).primary(),
    phone: p.string().length(16).primary(),
    tries: p.integer(),
    windowEndsAt: p.datetime().index(),
  },
});

export class PhoneTries extends PhoneTriesSchema.class {}
PhoneTriesSchema.setClass(PhoneTries);
