import { defineEntity, p } from '@mikro-orm/core';
import { sqlIndex, uniqueSqlIndex } from './sql-index.ts';

/** An action and its actor. Append-only: a trigger rejects every change but the seal into the hash chain (`audit/seal-audit.ts`). */
const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  indexes: [
    // also finds prefixes, in any collation
    sqlIndex('audit_entry_action', 'on audit_entry (action text_pattern_ops, id)'),
    sqlIndex('audit_entry_actor', 'on audit_entry (actor text_pattern_ops, id)'),
    { properties: ['subject', 'id'] },
    // a new entry has no position yet, and so costs this index nothing
    uniqueSqlIndex('audit_entry_position', 'on audit_entry (position) where position is not null'),
    sqlIndex('audit_entry_waiting', 'on audit_entry (id) where hash is null'),
  ],
  properties: {
    id: p.bigint().primary().autoincrement(),
    at: p.datetime().index(),
    /** Who: `staff:…`, `client:…`, `fan:…` or `system`. */
    actor: p.string().length(120),
    /** What, as `subject.verb` in the past tense: `grant.revoked`. */
    action: p.string().length(60),
    /** The identifier of what was acted on. */
    subject: p.string().length(120),
    details: p.json<Record<string, unknown>>(),
    requestId: p.string().length(64).nullable().index(),
    /** Position in the hash chain, from 1; null until sealed. */
    position: p.bigint().nullable(),
    previousHash: p.string().length(43).nullable(),
    hash: p.string().length(43).nullable(),
  },
});

export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
