import { type FilterQuery, raw } from '@mikro-orm/core';
import type { AuditEntry } from '../../entities/audit-entry.ts';
import { after } from '../../platform/time.ts';

/** A filter of audit entries; missing fields do not restrict. */
export interface AuditFilter {
  /** `staff:stf_…`, or the kind alone: `staff`. */
  actor?: string;
  /** `grant.revoked`, or the prefix alone: `grant`. */
  action?: string;
  subject?: string;
  from?: Date;
  /** Exclusive. */
  to?: Date;
  requestId?: string;
  /** A part of the details, case-insensitive. */
  text?: string;
}

export function auditCondition(filter: AuditFilter): FilterQuery<AuditEntry> {
  const [actor, action, subject, requestId, text] = [
    filter.actor,
    filter.action,
    filter.subject,
    filter.requestId,
    filter.text,
  ].map(storable);
  const { from, to } = filter;
  const conditions: FilterQuery<AuditEntry>[] = [];
  if (actor) conditions.push({ actor: actor.includes(':') || actor === 'system' ? actor : startingWith(`${actor}:`) });
  if (action) conditions.push({ action: action.includes('.') ? action : startingWith(`${action}.`) });
  if (subject) conditions.push({ subject });
  if (requestId) conditions.push({ requestId });
  if (from) conditions.push({ at: { $gte: from } }, numbered('>', from));
  if (to) conditions.push({ at: { $lt: to } }, numbered('<', to));
  if (text) conditions.push({ [raw((alias) => `${alias}.details::text`)]: { $ilike: `%${literal(text)}%` } });
  return { $and: conditions };
}

/** Seconds, many more than the clocks and transactions of the writers of entries may differ by. */
const SLACK = 3600;
/** The range of times that PostgreSQL reads in JavaScript's form of ISO 8601. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');
/** Entries beyond the slack that locate a time in the log: a few that were written by a wrong clock do not mislead. */
const WITNESSES = 1_000;

/**
 * The part of the log that can have entries from before, or after, a time. Lists are in the order of the log: without this condition they
 * would read every entry on the way to that time, as they do where few entries are beyond it.
 */
function numbered(direction: '<' | '>', time: Date): FilterQuery<AuditEntry> {
  const [beyond, order, edge, none] =
    direction === '<' ? ['>', 'asc', 'max', '9223372036854775807'] : ['<', 'desc', 'min', '0'];
  const part = `select case when count(*) = ${WITNESSES} and max(at) < now() then ${edge}(id) else ${none} end from (
    select id, at from audit_entry where at ${beyond} ? order by at ${order} limit ${WITNESSES}) witness`;
  const moment = after(time, direction === '<' ? SLACK : -SLACK).getTime();
  const at = new Date(Math.min(Math.max(moment, EARLIEST), LATEST));
  return { [raw((alias) => `${alias}.id ${direction}= (${part})`, [at])]: [] };
}

function startingWith(text: string): { $like: string } {
  return { $like: `${literal(text)}%` };
}

/** Escapes the wildcards of LIKE. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** PostgreSQL's text can't contain a NUL; the replacement matches no entry, like the original. */
function storable(text: string | undefined): string | undefined {
  return text?.trim().replaceAll('\0', '\ufffd');
}
