import { type FilterQuery, raw } from '@mikro-orm/core';
import type { AuditEntry } from '../entities/audit-entry.ts';

/** Which entries of the audit log somebody wants to see; what is left out does not narrow. */
export interface AuditFilter {
  /** Whole, as in `staff:stf_…`; or the kind before the colon, as in `staff`. */
  actor?: string;
  /** Whole, as in `grant.revoked`; or what comes before the point, as in `grant`. */
  action?: string;
  /** Identifier of what it was done to. */
  subject?: string;
  /** From this moment on. */
  from?: Date;
  /** Until just before this moment. */
  to?: Date;
  requestId?: string;
  /** A part of the details, in small or capital letters. */
  text?: string;
}

/** The filter as a condition on entries. */
export function auditCondition(filter: AuditFilter): FilterQuery<AuditEntry> {
  const [actor, action, subject, requestId, text] = [
    storable(filter.actor),
    storable(filter.action),
    storable(filter.subject),
    storable(filter.requestId),
    storable(filter.text),
  ];
  const { from, to } = filter;
  const conditions: FilterQuery<AuditEntry>[] = [];
  if (actor) conditions.push({ actor: actor.includes(':') || actor === 'system' ? actor : startingWith(`${actor}:`) });
  if (action) conditions.push({ action: action.includes('.') ? action : startingWith(`${action}.`) });
  if (subject) conditions.push({ subject });
  if (requestId) conditions.push({ requestId });
  if (from) conditions.push({ at: { $gte: from } });
  if (to) conditions.push({ at: { $lt: to } });
  if (text) conditions.push({ [raw((alias) => `${alias}.details::text`)]: { $ilike: `%${literal(text)}%` } });
  return { $and: conditions };
}

function startingWith(text: string): { $like: string } {
  return { $like: `${literal(text)}%` };
}

/** For LIKE: its wildcards stand for themselves. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** PostgreSQL's text holds no NUL; no entry has one either, so that any text without it matches the same: nothing. */
function storable(text: string | undefined): string | undefined {
  return text?.trim().replaceAll('\0', '\ufffd');
}
