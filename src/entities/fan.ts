import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { MODES } from '../platform/mode.ts';
import { sqlIndex } from './sql-index.ts';

/** An end user, known by phone number. The same number in sandbox and in production is two fans. @see D-073 */
const FanSchema = defineEntity({
  name: 'Fan',
  uniques: [{ properties: ['mode', 'phone'] }],
  indexes: [
    sqlIndex('fan_deleted', 'on fan (id) where deleted_at is not null'),
    { properties: ['numberVouchedAt', 'id'] },
  ],
  properties: {
    id: primaryId('usr'),
    mode: p.enum(MODES),
    /** E.164. Null while the number that the fan had is another fan's (`FormerNumber`), and once the fan has left. */
    phone: p.string().length(16).nullable(),
    /** The last time that the fan proved the number by a code. Null for one who never did. */
    numberProvedAt: p.datetime().nullable(),
    /** When the company last named the number as the fan's, in a row that it made or changed. */
    numberVouchedAt: p.datetime().defaultRaw('now()'),
    /** When the fan last answered "Not now" to the offer of a passkey. */
    passkeyDeclinedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    /** When the fan left: nothing of a person is in the row any more (`sign-in/own-data/delete-fan.ts`). */
    deletedAt: p.datetime().nullable(),
  },
});

export class Fan extends FanSchema.class {}
FanSchema.setClass(Fan);
