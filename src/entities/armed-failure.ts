import { defineEntity, p } from '@mikro-orm/core';
import { Client } from './client.ts';
import type { Failure } from './simulation.ts';

/** A failure that a sandbox client's next calls meet. One per client and failure: arming it again replaces it. */
const ArmedFailureSchema = defineEntity({
  name: 'ArmedFailure',
  properties: {
    client: () => p.manyToOne(Client).primary().updateRule('cascade').deleteRule('cascade'),
    failure: p.string().length(40).$type<Failure>().primary(),
    /** The operation that it waits for; null: any that can meet it. */
    operation: p.string().length(60).nullable(),
    /** How many more calls meet it; null: every call until it expires. */
    timesLeft: p.integer().nullable(),
    /** The delay of a slow answer, or `Retry-After`. */
    seconds: p.integer().nullable(),
    armedBy: p.string().length(120),
    armedAt: p.datetime(),
    expiresAt: p.datetime(),
    /** The last call that met it. */
    metAt: p.datetime().nullable(),
  },
});

export class ArmedFailure extends ArmedFailureSchema.class {}
ArmedFailureSchema.setClass(ArmedFailure);
