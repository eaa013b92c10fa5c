import type { FilterQuery } from '@mikro-orm/core';
import type { AuditFilter } from '../src/audit/audit-condition.ts';
import { auditCondition } from '../src/audit/audit-condition.ts';
import { type AuditChange, changesOf } from '../src/audit/changes.ts';
import { type ChainHead, type ChainReport, verifyAudit } from '../src/audit/seal-audit.ts';
import { AuditEntry } from '../src/entities/audit-entry.ts';
import { Client } from '../src/entities/client.ts';
import { Staff } from '../src/entities/staff.ts';
import { DomainError } from '../src/errors.ts';
import { type Id, isId } from '../src/identifier/type-id.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { builder, right } from './builder.ts';
import { pageOf } from './keyset.ts';

const AuditChangeType = builder.objectRef<AuditChange>('AuditChange').implement({
  description: 'One field that an edit changed.',
  fields: (t) => ({
    field: t.exposeString('field'),
    before: t.expose('before', { type: 'JSON', nullable: true }),
    after: t.expose('after', { type: 'JSON', nullable: true }),
  }),
});

export const AuditEntryType = builder.objectRef<AuditEntry>('AuditEntry').implement({
  description: 'One thing that happened and who did it. Never changed, never removed.',
  fields: (t) => ({
    id: t.id({ resolve: ({ id }) => String(id) }),
    at: t.expose('at', { type: 'DateTime' }),
    actor: t.exposeString('actor', { description: '`staff:…`, `client:…`, `fan:…` or `system`.' }),
    actorName: t.loadable({
      type: 'String',
      nullable: true,
      description: 'The name of a member of staff or a client.',
      load: namesOf,
      resolve: ({ actor }) => actor,
    }),
    action: t.exposeString('action', { description: '`subject.verb` in the past tense.' }),
    subject: t.exposeString('subject', { description: 'Identifier of what it was done to.' }),
    details: t.expose('details', { type: 'JSON' }),
    changes: t.field({
      type: [AuditChangeType],
      description: 'What an edit changed, field by field.',
      resolve: ({ details }) => changesOf(details),
    }),
    requestId: t.exposeString('requestId', { nullable: true }),
    position: t.field({
      type: 'BigInt',
      nullable: true,
      description: 'Place in the hash chain; null for the first minute, until it is sealed.',
      resolve: ({ position }) => position,
    }),
    hash: t.exposeString('hash', { nullable: true }),
  }),
});

/** One statement for the staff of a call, and one for its clients. */
async function namesOf(actors: string[], { context }: { context: ServiceContext }): Promise<(string | null)[]> {
  const within = <Prefix extends 'stf' | 'client'>(kind: string, prefix: Prefix): Id<Prefix>[] =>
    actors.flatMap((actor) => {
      const [is, id = ''] = actor.split(':');
      return is === kind && isId(prefix, id) ? [id] : [];
    });
  const [staff, clients] = [within('staff', 'stf'), within('client', 'client')];
  const people = staff.length > 0 ? await context.em.find(Staff, { id: { $in: staff } }) : [];
  const apps = clients.length > 0 ? await context.em.find(Client, { id: { $in: clients } }) : [];
  const names = new Map<string, string>([
    ...people.map(({ id, name }) => [`staff:${id}`, name] as const),
    ...apps.map(({ id, name }) => [`client:${id}`, name] as const),
  ]);
  return actors.map((actor) => names.get(actor) ?? null);
}

const AuditFilterInput = builder.inputType('AuditFilter', {
  fields: (t) => ({
    actor: t.string({ description: 'Whole, as in `staff:stf_…`; or its kind, as in `staff`.' }),
    action: t.string({ description: 'Whole, as in `grant.revoked`; or what comes before the point.' }),
    subject: t.string(),
    from: t.field({ type: 'DateTime' }),
    to: t.field({ type: 'DateTime', description: 'Until just before this moment.' }),
    requestId: t.string(),
    text: t.string({ description: 'A part of the details.' }),
  }),
});

const AuditHeadType = builder.objectRef<ChainHead>('AuditHead').implement({
  description: 'The newest sealed entry. Kept elsewhere, it shows later that nothing was cut off the end.',
  fields: (t) => ({ position: t.exposeString('position'), hash: t.exposeString('hash') }),
});

const AuditHeadInput = builder.inputType('AuditHeadInput', {
  fields: (t) => ({ position: t.string({ required: true }), hash: t.string({ required: true }) }),
});

const AuditBreakType = builder
  .objectRef<NonNullable<ChainReport['broken']>>('AuditBreak')
  .implement({ fields: (t) => ({ position: t.exposeString('position'), reason: t.exposeString('reason') }) });

const AuditReportType = builder.objectRef<ChainReport>('AuditReport').implement({
  description: 'What a check of the whole hash chain found.',
  fields: (t) => ({
    checked: t.exposeInt('checked', { description: 'Sealed entries that fit.' }),
    waiting: t.exposeInt('waiting', { description: 'Entries of the last minute that wait to be sealed.' }),
    head: t.expose('head', { type: AuditHeadType, nullable: true }),
    broken: t.expose('broken', { type: AuditBreakType, nullable: true, description: 'The first that does not fit.' }),
  }),
});

/** Reading the whole log counts as much as thousands of fields: one check in a call is enough. */
const CHECK_COMPLEXITY = 15_000;

builder.queryFields((t) => ({
  auditEntries: t.connection({
    type: AuditEntryType,
    authScopes: right('audit:read'),
    args: { filter: t.arg({ type: AuditFilterInput }) },
    resolve: (_, { filter, ...page }, { context }) => pageOfEntries(context, auditCondition(given(filter)), page),
  }),
  verifyAudit: t.field({
    type: AuditReportType,
    authScopes: right('audit:read'),
    complexity: CHECK_COMPLEXITY,
    description: 'Recomputes every hash of the audit log. Takes a second for some ten thousand entries.',
    args: { anchor: t.arg({ type: AuditHeadInput, description: 'A head that was kept.' }) },
    resolve: (_, { anchor }, { context }) => {
      if (anchor && !/^\d{1,18}$/.test(anchor.position)) {
        throw new DomainError('invalid_request', 'anchor.position must be a number.');
      }
      return verifyAudit(context, anchor ?? undefined);
    },
  }),
}));

/** Without what was left out or is null. */
function given(filter: { [Name in keyof AuditFilter]?: AuditFilter[Name] | null } | null | undefined): AuditFilter {
  return Object.fromEntries(Object.entries(filter ?? {}).filter(([, value]) => value != null));
}

/** A page of the audit log, whose entries are numbered. @throws DomainError `invalid_request`, as `pageOf` */
export function pageOfEntries(
  context: Pick<ServiceContext, 'em'>,
  where: FilterQuery<AuditEntry>,
  page: Parameters<typeof pageOf>[3],
) {
  for (const cursor of [page.after, page.before]) {
    if (cursor != null && !/^\d{1,18}$/.test(cursor)) {
      throw new DomainError('invalid_request', 'The cursor is of another list.');
    }
  }
  return pageOf(context, AuditEntry, where, page);
}
