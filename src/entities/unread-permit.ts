import { defineEntity, p } from '@mikro-orm/core';
import { Permit } from './permit.ts';

/**
 * A permit whose onchain state could not be taken in: its account can't be decoded, or the database does not store what it
 * says. Such a permit waits here for its next try, apart from the others. The row goes when a try succeeds.
 */
const UnreadPermitSchema = defineEntity({
  name: 'UnreadPermit',
  properties: {
    permit: () => p.oneToOne(Permit).primary().deleteRule('cascade'),
    reason: p.string().length(300),
    /** The first try that failed. */
    since: p.datetime(),
    tries: p.integer(),
    /** The slot that the state must have reached, also at the next try. */
    slot: p.bigint(),
    retryAt: p.datetime().index(),
  },
});

export class UnreadPermit extends UnreadPermitSchema.class {}
UnreadPermitSchema.setClass(UnreadPermit);
