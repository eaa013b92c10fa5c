import { defineEntity, p } from '@mikro-orm/core';
import { MODES } from './mode.ts';

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
