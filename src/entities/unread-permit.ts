import { defineEntity, p } from '@mikro-orm/core';
import { Permit } from './permit.ts';

/**
 * A permit whose onchain state could not be synced, because its account cannot be decoded or its state cannot be stored. It waits for
 * its next try; the row is deleted when one succeeds.
 */
const UnreadPermitSchema = defineEntity({
  name: 'UnreadPermit',
  properties: {
    permit: () => p.oneToOne(Permit).primary().deleteRule('cascade'),
    reason: p.string().length(300),
    /** The first try that failed. */
    since: p.datetime(),
    tries: p.integer(),
    /** The slot that the state must have reached. */
    slot: p.bigint(),
    retryAt: p.datetime().index(),
  },
});

export class UnreadPermit extends UnreadPermitSchema.class {}
UnreadPermitSchema.setClass(UnreadPermit);
