import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { Fan } from './fan.ts';
import { Permit } from './permit.ts';
import { sqlIndex, uniqueSqlIndex } from './sql-index.ts';

export const PERMIT_TASK_KINDS = ['transfer', 'close_listing'] as const;
export type PermitTaskKind = (typeof PERMIT_TASK_KINDS)[number];

/** `done`: the chain shows its effect. `ended`: without it, for a reason. */
export const PERMIT_TASK_STATES = ['open', 'done', 'ended'] as const;

/** What must be done onchain for the company: a permit moves to another fan's wallet, or its listing is closed. */
const PermitTaskSchema = defineEntity({
  name: 'PermitTask',
  indexes: [
    uniqueSqlIndex('permit_task_one_open', "on permit_task (permit_id, kind) where state = 'open'"),
    sqlIndex('permit_task_due', "on permit_task (next_attempt_at) where state = 'open'"),
  ],
  properties: {
    id: primaryId('task'),
    permit: () => p.manyToOne(Permit).index(),
    kind: p.enum(PERMIT_TASK_KINDS),
    /** Of a transfer: the owner when it was asked for, null where the permit was not issued yet; and the new holder. */
    fromFan: () => p.manyToOne(Fan).nullable().deleteRule('no action').index(false),
    toFan: () => p.manyToOne(Fan).nullable().deleteRule('no action').index(false),
    state: p.enum(PERMIT_TASK_STATES).default('open'),
    /** Why the last attempt failed, or why it ended. */
    reason: p.string().length(300).nullable(),
    attempts: p.integer().default(0),
    nextAttemptAt: p.datetime(),
    /** Who asked for it, as audit entries name them. */
    actor: p.string().length(120),
    requestId: p.string().length(64).nullable(),
    createdAt: p.datetime(),
    endedAt: p.datetime().nullable(),
  },
});

export class PermitTask extends PermitTaskSchema.class {}
PermitTaskSchema.setClass(PermitTask);
