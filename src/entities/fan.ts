import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { MODES } from './mode.ts';

/** An end user, known by phone number. The same number in sandbox and in production is two fans. */
const FanSchema = defineEntity({
  name: 'Fan',
  uniques: [{ properties: ['mode', 'phone'] }],
  properties: {
    id: primaryId('usr'),
    mode: p.enum(MODES),
    /** E.164. */
    phone: p.string().length(16),
    createdAt: p.datetime(),
  },
});

export class Fan extends FanSchema.class {}
FanSchema.setClass(Fan);
