import { defineEntity, p } from '@mikro-orm/core';
import { Fan } from './fan.ts';

/** Why a fan gave a number up: the number's holder began a new account, or it was changed. */
export const FORMER_NUMBER_REASONS = ['new_account', 'changed_by_fan', 'changed_by_support'] as const;
export type FormerNumberReason = (typeof FORMER_NUMBER_REASONS)[number];

/** A number that a fan had, by which support still finds the fan. It signs nobody in. */
const FormerNumberSchema = defineEntity({
  name: 'FormerNumber',
  properties: {
    fan: () => p.manyToOne(Fan).primary().deleteRule('cascade'),
    givenUpAt: p.datetime().primary(),
    /** E.164. */
    phone: p.string().length(16).index(),
    reason: p.enum(FORMER_NUMBER_REASONS),
  },
});

export class FormerNumber extends FormerNumberSchema.class {}
FormerNumberSchema.setClass(FormerNumber);

/**
 * A code for a person who has proved a number, but not that its account is theirs, to read out to support. It signs nobody in: it shows
 * support which account is meant, and that the caller holds the number.
 */
const SupportCodeSchema = defineEntity({
  name: 'SupportCode',
  properties: {
    fan: () => p.oneToOne(Fan).primary(),
    code: p.string().length(9).unique(),
    /** When that person last proved the number. */
    provedAt: p.datetime(),
    expiresAt: p.datetime().index(),
  },
});

export class SupportCode extends SupportCodeSchema.class {}
SupportCodeSchema.setClass(SupportCode);
