import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { Partner } from '../../../../src/entities/partner.ts';
import { type AuditFilter, auditCondition } from '../../../../src/record/audit/audit-condition.ts';
import { readUnsealed } from '../../../../src/record/audit/chain-head.ts';
import { changesOf } from '../../../../src/record/audit/changes.ts';
import { exportAudit } from '../../../../src/record/audit/export-audit.ts';
import { recordAudit } from '../../../../src/record/audit/record-audit.ts';
import { sealAudit } from '../../../../src/record/audit/seal-audit.ts';
import { readAuditCheck, verifyAudit } from '../../../../src/record/audit/verify-audit.ts';
import { refused } from '../../../support/refused.ts';
import { testApp } from '../../../support/test-app.ts';
import { writeAuditEntry } from '../../../support/write-audit-entry.ts';

let pool: pg.Pool;
const logged: string[] = [];
/** A pool of its own: what a process knows beside the database, it knows by its pool. */
const anotherProcess = (): pg.Pool => Object.create(app.runtime.pool);
const context = () => ({ ...app.context(), pool });
const app = await testApp({ logTo: { write: (line) => logged.push(line) } });
const intruder = new pg.Client({ connectionString: app.config.databaseUrl });
await intruder.connect();

describe('audit', () => {
  beforeEach(() => {
    pool = anotherProcess();
  });

  afterAll(async () => {
    await intruder.end();
  });

  /** What only an administrator of the database can do: get around the trigger. */
  async function tamper(statement: string): Promise<void> {
    await intruder.query('set session_replication_role = replica');
    await intruder.query(statement);
    await intruder.query('set session_replication_role = origin');
  }

  async function record(count: number): Promise<void> {
    const context = app.context();
    for (let i = 0; i < count; i++) {
      const details = { b: 1, a: { d: 2, c: [i] } };
      writeAuditEntry(context, { actor: 'system', action: 'test.done', subject: `s${i}`, details });
    }
    await context.em.flush();
  }

  async function sealAll(): Promise<number> {
    let sealed = 0;
    for (let now = await sealAudit(context()); now > 0; now = await sealAudit(context())) sealed += now;
    return sealed;
  }

  async function headOf() {
    const { head } = await verifyAudit(context());
    if (!head) throw new Error('a sealed chain has a head');
    return head;
  }

  describe('an entry', () => {
    it('is written with the change that it records, or not at all', async () => {
      const { em, now, requestId } = app.context();
      const before = await em.count(AuditEntry);
      const attempt = em.fork().transactional(async (tx) => {
        tx.create(Partner, { name: 'Rolled Back', createdAt: now() });
        const fact = { action: 'partner.registered', details: { name: 'Rolled Back' } } as const;
        recordAudit({ em: tx, now, requestId }, { actor: 'system', subject: 'x', ...fact });
        await tx.flush();
        throw new Error('and then it failed');
      });
      await expect(attempt).rejects.toThrow('and then it failed');
      expect(await em.count(AuditEntry)).toBe(before);
      expect(await em.count(Partner, { name: 'Rolled Back' })).toBe(0);
    });

    it.each([
      ['changed', `update audit_entry set actor = 'someone else'`],
      ['changed in its details', `update audit_entry set details = '{}'`],
      ['deleted', `delete from audit_entry`],
      ['truncated', `truncate audit_entry`],
    ])('can not be %s', async (_, statement) => {
      await expect(intruder.query(statement)).rejects.toThrow('audit entries are append-only');
    });

    it('can not be sealed a second time', async () => {
      await sealAll();
      const again = intruder.query(`update audit_entry set hash = 'x', position = 99999`);
      await expect(again).rejects.toThrow('append-only');
    });
  });

  describe('the chain', () => {
    beforeEach(async () => {
      await tamper('truncate audit_entry restart identity');
    });

    it('gives each entry its place in the order of writing, and the hash of the one before', async () => {
      await record(3);
      expect(await sealAll()).toBe(3);
      const entries = await app.context().em.find(AuditEntry, {}, { orderBy: { id: 'asc' } });
      expect(entries.map(({ position }) => String(position))).toEqual(['1', '2', '3']);
      expect(entries.map(({ previousHash }) => previousHash)).toEqual([null, entries[0]?.hash, entries[1]?.hash]);
      expect(new Set(entries.map(({ hash }) => hash)).size).toBe(3);
      expect(await verifyAudit(context())).toMatchObject({ checked: 3, waiting: 0 });
    });

    it('goes on where it stopped, also over more entries than one run takes', async () => {
      await record(2);
      await sealAll();
      await record(1201);
      expect(await verifyAudit(context())).toMatchObject({ checked: 2, waiting: 1201 });
      expect(await sealAll()).toBe(1201);
      expect(await verifyAudit(context())).toMatchObject({ checked: 1203, waiting: 0 });
    });

    it('takes in an entry that was written earlier and committed later', async () => {
      const { em, now, requestId } = app.context();
      await em.fork().transactional(async (slow) => {
        writeAuditEntry({ em: slow, now, requestId }, { actor: 'system', action: 'slow.done', subject: 'slow' });
        await slow.flush();
        await record(2);
        expect(await sealAll()).toBe(2);
      });
      expect(await sealAll()).toBe(1);
      expect(await verifyAudit(context())).toMatchObject({ checked: 3, waiting: 0 });
    });

    it('is sealed once, however many processes are at it', async () => {
      await record(40);
      const sealed = await Promise.all(Array.from({ length: 8 }, () => sealAudit(context())));
      expect(sealed.reduce((sum, count) => sum + count, 0)).toBe(40);
      expect(await verifyAudit(context())).toMatchObject({ checked: 40, waiting: 0 });
    });

    const CHANGED = 'its content was changed';
    const MISSING = 'an entry is missing';
    const MISPLACED = 'it does not follow the entry before it';
    it.each([
      ['whose actor was changed', `update audit_entry set actor = 'x' where position = 3`, 3, CHANGED],
      ['whose details were changed', `update audit_entry set details = '{"b": 2}' where position = 3`, 3, CHANGED],
      ['whose time was changed', `update audit_entry set at = at + interval '1 s' where position = 3`, 3, CHANGED],
      ['whose request was changed', `update audit_entry set request_id = 'x' where position = 3`, 3, CHANGED],
      ['that was removed', `delete from audit_entry where position = 3`, 3, MISSING],
      [
        'that was removed, the rest moved up',
        `delete from audit_entry where position = 3; update audit_entry set position = position - 1 where position > 3`,
        3,
        MISPLACED,
      ],
      [
        'that was put in between',
        `update audit_entry set position = -position where position > 3;
       update audit_entry set position = 1 - position where position < 0;
       insert into audit_entry (at, actor, action, subject, details, position, previous_hash, hash)
         select at, actor, action, 'forged', details, 4, hash, 'forged' from audit_entry where position = 3`,
        4,
        CHANGED,
      ],
      [
        'that changed places with another',
        `update audit_entry set position = -position where position in (2, 3);
       update audit_entry set position = 5 + position where position < 0`,
        2,
        MISPLACED,
      ],
    ])('tells of an entry %s', async (_, statement, position, reason) => {
      await record(6);
      await sealAll();
      await tamper(statement);
      const broken = { position: String(position), reason };
      expect(await verifyAudit(context())).toMatchObject({ broken, checked: position - 1 });
    });

    it('has a head, which reveals entries cut off the end where it is kept outside', async () => {
      await record(6);
      await sealAll();
      const head = await headOf();
      expect(head.position).toBe('6');
      expect((await verifyAudit(context(), head)).broken).toBeUndefined();
      await tamper('delete from audit_entry where position > 4');
      const broken = { position: '5', reason: MISSING };
      // D-355: by the process that sealed them without a kept head
      expect((await verifyAudit(context())).broken).toEqual(broken);
      pool = anotherProcess();
      expect((await verifyAudit(context())).broken).toBeUndefined();
      expect((await verifyAudit(context(), head)).broken).toEqual(broken);
    });

    it('and a chain that was built anew over other entries', async () => {
      await record(3);
      await sealAll();
      const head = await headOf();
      await tamper(`update audit_entry set actor = 'x', hash = null, previous_hash = null, position = null`);
      await sealAll();
      const rebuilt = { position: '3', reason: 'it is not the entry that was sealed here' };
      expect((await verifyAudit(context())).broken).toEqual(rebuilt);
      pool = anotherProcess();
      expect((await verifyAudit(context())).broken).toBeUndefined();
      expect((await verifyAudit(context(), head)).broken).toEqual(rebuilt);
    });

    it('D-355: the log has each new head, to be kept elsewhere, and says at the next seal that the head before is gone', async () => {
      await record(6);
      logged.length = 0;
      await sealAll();
      const { head } = await verifyAudit(context());
      expect(logged.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ level: 30, head: `6:${head?.hash}`, msg: 'audit log sealed' }),
      ]);
      expect(await readUnsealed(context().pool)).toMatchObject({ sealed: 6 });
      await tamper('delete from audit_entry where position > 4');
      await record(1);
      await sealAll();
      expect(logged.map((line) => JSON.parse(line)).find(({ level }) => level === 50)).toMatchObject({
        head: `6:${head?.hash}`,
        msg: 'the audit log was altered: an entry that was sealed is gone or another one',
      });
    });

    it('D-355: is verified by one run at a time, in slices, and says how far it is', async () => {
      await intruder.query(`insert into audit_entry (at, actor, action, subject, details)
      select now(), 'system', 'test.done', 's' || i, '{"a": {"c": [1], "d": 2}}' from generate_series(1, 3000) i`);
      await sealAll();
      const run = verifyAudit(context());
      let longest = 0;
      await expect.poll(() => readAuditCheck(pool), { interval: 1 }).toMatchObject({ running: true });
      let seen = await readAuditCheck(pool);
      let isOver = false;
      void run.finally(() => {
        isOver = true;
      });
      await expect(verifyAudit(context())).rejects.toEqual(refused('conflict'));
      while (!isOver) {
        const before = process.threadCpuUsage();
        await new Promise(setImmediate);
        const { user, system } = process.threadCpuUsage(before);
        longest = Math.max(longest, (user + system) / 1_000);
        const now = await readAuditCheck(context().pool);
        if (now.running && (now.checked ?? 0) > 0) seen = now;
      }
      expect(await run).toMatchObject({ checked: 3_000 });
      expect(seen).toMatchObject({ running: true, checked: expect.any(Number) });
      expect(await readAuditCheck(context().pool)).toEqual({ running: false, checked: null });
      // of this thread's own work, in milliseconds: before, a batch of 1,000 entries took 60 and more
      expect(longest).toBeLessThan(40);
    });

    it('an empty chain has no head', async () => {
      expect(await verifyAudit(context())).toEqual({ checked: 0, cut: null, waiting: 0, head: null });
    });
  });
});

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

it('an export has every entry once over all batches, newest first, and is on record but not in itself', async () => {
  const context = app.context();
  for (let i = 0; i < 1_203; i++) writeAuditEntry(context, { actor: 'system', action: 'many.done', subject: `m${i}` });
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

it('shows a change field by field, without what stayed the same', () => {
  const before = { name: 'Old', uris: ['a'], same: { deep: 1 } };
  const after = { name: 'New', uris: ['a', 'b'], same: { deep: 1 }, more: true };
  expect(changesOf({ before, after })).toEqual([
    { field: 'name', before: 'Old', after: 'New' },
    { field: 'uris', before: ['a'], after: ['a', 'b'] },
    { field: 'more', before: undefined, after: true },
  ]);
  expect(changesOf({ before: 'x', after })).toEqual([]);
});
