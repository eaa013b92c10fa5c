import { beforeAll, describe, expect, it } from 'vitest';
import { type AuditFilter, auditCondition } from '../../../src/audit/audit-condition.ts';
import { changesOf } from '../../../src/audit/changes.ts';
import { exportAudit } from '../../../src/audit/export-audit.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { testApp } from '../../support/test-app.ts';
import { writeAuditEntry } from '../../support/write-audit-entry.ts';

/** The audit log, narrowed and exported. */
const app = await testApp();

async function found(filter: AuditFilter): Promise<string[]> {
  const entries = await app.context().em.find(AuditEntry, auditCondition(filter), { orderBy: { id: 'asc' } });
  return entries.map(({ action, subject }) => `${action} ${subject}`);
}

describe('the audit log is narrowed', () => {
  beforeAll(async () => {
    const context = { ...app.context(), requestId: 'req-1' };
    const moments = ['2001-01-01T00:00:00Z', '2001-01-02T00:00:00Z', '2001-01-03T00:00:00Z'];
    const facts = [
      { actor: 'staff:ann', action: 'thing.made', subject: 's1', details: { note: 'A 100% Sure_Thing' } },
      { actor: 'staff:bob', action: 'thing.unmade', subject: 's1' },
      { actor: 'system', action: 'other.made', subject: 's2' },
    ];
    for (const [index, fact] of facts.entries()) {
      writeAuditEntry({ ...context, now: () => new Date(moments[index] ?? '') }, fact);
    }
    await context.em.flush();
  });

  it.each<[string, AuditFilter, string[]]>([
    ['by actor', { actor: 'staff:ann' }, ['thing.made s1']],
    ['by kind of actor', { actor: 'staff' }, ['thing.made s1', 'thing.unmade s1']],
    ['by action', { action: 'thing.unmade' }, ['thing.unmade s1']],
    ['by kind of action', { action: 'thing' }, ['thing.made s1', 'thing.unmade s1']],
    ['by subject', { subject: 's2' }, ['other.made s2']],
    ['by request', { requestId: 'req-1', subject: 's2' }, ['other.made s2']],
    ['from a moment on', { requestId: 'req-1', from: new Date('2001-01-03T00:00:00Z') }, ['other.made s2']],
    ['until before a moment', { to: new Date('2001-01-02T00:00:00Z') }, ['thing.made s1']],
    ['by a text in its details', { text: 'sure_th' }, ['thing.made s1']],
    ['by signs that LIKE would take for wildcards', { text: '100%' }, ['thing.made s1']],
    ['with a wildcard that is not there', { text: 'sure%thing' }, []],
    ['by all of it', { actor: 'staff', action: 'thing', subject: 's1', text: 'sure' }, ['thing.made s1']],
    ['by a NUL, which nothing has', { actor: 'staff', subject: 's1\0' }, []],
  ])('%s', async (_, filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });
});

describe('an export', () => {
  it('has every entry once over all batches, newest first, and is on record but not in itself', async () => {
    const context = app.context();
    for (let i = 0; i < 1_203; i++)
      writeAuditEntry(context, { actor: 'system', action: 'many.done', subject: `m${i}` });
    await context.em.flush();
    const exported: string[] = [];
    for await (const batch of exportAudit(app.context(), { action: 'many' }, 'csv', 'staff:ann')) {
      expect(batch.length).toBeLessThanOrEqual(500);
      exported.push(...batch.map(({ subject }) => subject));
    }
    expect(exported).toEqual(Array.from({ length: 1_203 }, (_, i) => `m${1_202 - i}`));
    const record = await app.context().em.findOneOrFail(AuditEntry, { action: 'audit.exported' });
    expect(record).toMatchObject({ actor: 'staff:ann', details: { format: 'csv', filter: { action: 'many' } } });
    const everything: string[] = [];
    for await (const batch of exportAudit(app.context(), {}, 'json', 'staff:bob')) {
      everything.push(...batch.map(({ action, actor }) => `${action} ${actor}`));
    }
    expect(everything).toContain('audit.exported staff:ann');
    expect(everything).not.toContain('audit.exported staff:bob');
  });
});

describe('what an edit changed', () => {
  it('is told field by field, without what stayed the same', () => {
    const before = { name: 'Old', uris: ['a'], same: { deep: 1 } };
    const after = { name: 'New', uris: ['a', 'b'], same: { deep: 1 }, more: true };
    expect(changesOf({ before, after })).toEqual([
      { field: 'name', before: 'Old', after: 'New' },
      { field: 'uris', before: ['a'], after: ['a', 'b'] },
      { field: 'more', before: undefined, after: true },
    ]);
    expect(changesOf({ before: 'x', after })).toEqual([]);
  });
});
