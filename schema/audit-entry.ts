import type { FilterQuery } from '@mikro-orm/core';
import { AuditEntry } from '../src/entities/audit-entry.ts';
import { DomainError } from '../src/platform/errors.ts';
import { auditCondition } from '../src/record/audit/audit-condition.ts';
import type { ChainHead } from '../src/record/audit/chain-head.ts';
import { type AuditChange, changesOf, whyOf } from '../src/record/audit/changes.ts';
import { type AuditCheck, type ChainReport, readAuditCheck, verifyAudit } from '../src/record/audit/verify-audit.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { NAME } from './audit-names.ts';
import { builder, right } from './builder.ts';
import { given } from './given.ts';
import type { ListSort } from './list-order.ts';
import { type PageArguments, pageOf } from './lists.ts';
import { AgeSort } from './sorts.ts';

const AuditChangeType = builder.objectRef<AuditChange>('AuditChange').implement({
  description: 'One field that an edit changed.',
  fields: (t) => ({
    field: t.exposeString('field'),
    before: t.expose('before', { type: 'JSON', nullable: true }),
    after: t.expose('after', { type: 'JSON', nullable: true }),
  }),
});

export const AuditEntryType = builder.objectRef<AuditEntry>('AuditEntry').implement({
  description: 'One thing that happened, and who did it. Never changed or removed.',
  fields: (t) => ({
    id: t.id({ resolve: ({ id }) => String(id) }),
    at: t.expose('at', { type: 'DateTime' }),
    actor: t.exposeString('actor', { description: '`staff:…`, `service:…`, `client:…`, `fan:…` or `system`.' }),
    actorName: t.loadable({
      ...NAME,
      description: 'The name of a staff member, service account or client; the masked phone number of a fan.',
      resolve: ({ actor }) => actor,
    }),
    action: t.exposeString('action', { description: '`subject.verb` in the past tense.' }),
    subject: t.exposeString('subject', { description: 'ID of the target.' }),
    subjectName: t.loadable({
      ...NAME,
      description: 'Name of the target; null if it has none.',
      resolve: ({ subject }) => subject,
    }),
    why: t.string({
      nullable: true,
      description: 'The reason that a person gave, or the service’s own reason in words.',
      resolve: ({ details }) => whyOf(details),
    }),
    details: t.expose('details', { type: 'JSON' }),
    changes: t.field({
      type: [AuditChangeType],
      description: 'What an edit changed, field by field.',
      resolve: ({ details }) => changesOf(details),
    }),
    requestId: t.exposeString('requestId', { nullable: true }),
    position: t.expose('position', {
      type: 'BigInt',
      nullable: true,
      description: 'Place in the hash chain; null for the first minute, until it is sealed.',
    }),
    hash: t.exposeString('hash', { nullable: true }),
  }),
});

const AuditFilterInput = builder.inputType('AuditFilter', {
  fields: (t) => ({
    actor: t.string({ description: 'The full value, such as `staff:stf_…`, or only the kind, such as `staff`.' }),
    action: t.string({ description: 'The full value, such as `grant.revoked`, or only the part before the dot.' }),
    subject: t.string(),
    from: t.field({ type: 'DateTime' }),
    to: t.field({ type: 'DateTime', description: 'Exclusive.' }),
    requestId: t.string(),
    text: t.string({ description: 'Part of the details.' }),
  }),
});

const AuditHeadType = builder.objectRef<ChainHead>('AuditHead').implement({
  description: 'The newest sealed entry. Saved elsewhere, it later proves that no entries were removed from the end.',
  fields: (t) => ({ position: t.exposeString('position'), hash: t.exposeString('hash') }),
});

const AuditHeadInput = builder.inputType('AuditHeadInput', {
  fields: (t) => ({ position: t.string({ required: true }), hash: t.string({ required: true }) }),
});

const AuditBreakType = builder
  .objectRef<NonNullable<ChainReport['broken']>>('AuditBreak')
  .implement({ fields: (t) => ({ position: t.exposeString('position'), reason: t.exposeString('reason') }) });

const AuditReportType = builder.objectRef<ChainReport>('AuditReport').implement({
  description: 'The result of verifying the audit log.',
  fields: (t) => ({
    checked: t.exposeInt('checked', { description: 'Sealed entries that are intact.' }),
    waiting: t.exposeInt('waiting', { description: 'Entries of the last minute that are not sealed yet.' }),
    head: t.expose('head', { type: AuditHeadType, nullable: true }),
    cut: t.expose('cut', {
      type: AuditHeadType,
      nullable: true,
      description: 'The entry where the check began, if those before it were exported to files and detached.',
    }),
    broken: t.expose('broken', {
      type: AuditBreakType,
      nullable: true,
      description: 'The first entry that is not intact.',
    }),
  }),
});

const AuditCheckType = builder.objectRef<AuditCheck>('AuditCheck').implement({
  description: 'Whether the audit log is being verified now.',
  fields: (t) => ({
    running: t.exposeBoolean('running'),
    checked: t.exposeInt('checked', {
      nullable: true,
      description: 'Entries checked so far; null where another process of the service does it.',
    }),
  }),
});

/** The check reads the whole log, so one call must not request it several times. */
const CHECK_COMPLEXITY = 15_000;

builder.queryFields((t) => ({
  auditEntries: t.connection({
    type: AuditEntryType,
    authScopes: right('audit:read'),
    args: { filter: t.arg({ type: AuditFilterInput }), sort: t.arg({ type: AgeSort }) },
    resolve: (_, { filter, ...page }, { context }) => pageOfEntries(context, auditCondition(given(filter ?? {})), page),
  }),
  auditCheck: t.field({
    type: AuditCheckType,
    authScopes: right('audit:read'),
    resolve: (_, __, { context }) => readAuditCheck(context.pool),
  }),
  verifyAudit: t.field({
    type: AuditReportType,
    authScopes: right('audit:read'),
    complexity: CHECK_COMPLEXITY,
    description:
      'Recomputes every hash of the audit log, and compares it with the newest entry that the service knew. Takes about a second per 10,000 entries; refused while a verification is under way.',
    args: { anchor: t.arg({ type: AuditHeadInput, description: 'A saved head.' }) },
    resolve: (_, { anchor }, { context }) => {
      if (anchor && !/^\d{1,18}$/.test(anchor.position)) {
        throw new DomainError('invalid_request', 'anchor.position must be a number.');
      }
      return verifyAudit(context, anchor ?? undefined);
    },
  }),
}));

/** A page of the audit log, whose entries are numbered. @throws DomainError `invalid_request`, as `pageOf` */
export function pageOfEntries(
  context: Pick<ServiceContext, 'em'>,
  where: FilterQuery<AuditEntry>,
  page: PageArguments & { sort?: ListSort<object> | null | undefined },
) {
  for (const cursor of [page.after, page.before]) {
    if (cursor != null && !/^\d{1,18}$/.test(cursor)) {
      throw new DomainError('invalid_request', 'The cursor belongs to another list.');
    }
  }
  return pageOf(context, AuditEntry, page, [where]);
}
