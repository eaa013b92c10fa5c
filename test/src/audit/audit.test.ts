import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordAudit } from '../../../src/audit/record-audit.ts';
import { sealAudit, verifyAudit } from '../../../src/audit/seal-audit.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Partner } from '../../../src/entities/partner.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { writeAuditEntry } from '../../support/write-audit-entry.ts';

let app: TestApp;
let intruder: pg.Client;
beforeAll(async () => {
  app = await startApp();
  intruder = new pg.Client({ connectionString: app.config.databaseUrl });
  await intruder.connect();
});
afterAll(async () => {
  await intruder.end();
  await app.stop();
});

/** What only an administrator of the database can do: get around the trigger. */
async function tamper(statement: string): Promise<void> {
  await intruder.query('set session_replication_role = replica');
  await intruder.query(statement);
  await intruder.query('set session_replication_role = origin');
}

async function record(count: number): Promise<void> {
  const { em, now, requestId } = app.context();
  for (let i = 0; i < count; i++) {
    writeAuditEntry(
      { em, now, requestId },
      { actor: 'system', action: 'test.done', subject: `s${i}`, details: { b: 1, a: { d: 2, c: [i] } } },
    );
  }
  await em.flush();
}

async function sealAll(): Promise<number> {
  let sealed = 0;
  for (let now = await sealAudit(app.context()); now > 0; now = await sealAudit(app.context())) sealed += now;
  return sealed;
}

describe('an entry', () => {
  it('is written with the change that it tells of, or not at all', async () => {
    const { em, now, requestId } = app.context();
    const before = await em.count(AuditEntry);
    const attempt = em.fork().transactional(async (tx) => {
      tx.create(Partner, { name: 'Rolled Back', createdAt: now() });
      recordAudit(
        { em: tx, now, requestId },
        { actor: 'system', action: 'partner.registered', subject: 'x', details: { name: 'Rolled Back' } },
      );
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
    await expect(intruder.query(`update audit_entry set hash = 'x', position = 99999`)).rejects.toThrow('append-only');
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
    expect(await verifyAudit(app.context())).toMatchObject({ checked: 3, waiting: 0 });
  });

  it('goes on where it stopped, also over more entries than one run takes', async () => {
    await record(2);
    await sealAll();
    await record(1201);
    expect(await verifyAudit(app.context())).toMatchObject({ checked: 2, waiting: 1201 });
    expect(await sealAll()).toBe(1201);
    expect(await verifyAudit(app.context())).toMatchObject({ checked: 1203, waiting: 0 });
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
    expect(await verifyAudit(app.context())).toMatchObject({ checked: 3, waiting: 0 });
  });

  it('is sealed once, however many processes are at it', async () => {
    await record(40);
    const sealed = await Promise.all(Array.from({ length: 8 }, () => sealAudit(app.context())));
    expect(sealed.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect(await verifyAudit(app.context())).toMatchObject({ checked: 40, waiting: 0 });
  });

  it.each([
    [
      'whose actor was changed',
      `update audit_entry set actor = 'x' where position = 3`,
      '3',
      'its content was changed',
    ],
    [
      'whose details were changed',
      `update audit_entry set details = '{"b": 2}' where position = 3`,
      '3',
      'its content was changed',
    ],
    [
      'whose time was changed',
      `update audit_entry set at = at + interval '1 second' where position = 3`,
      '3',
      'its content was changed',
    ],
    [
      'whose request was changed',
      `update audit_entry set request_id = 'x' where position = 3`,
      '3',
      'its content was changed',
    ],
    ['that was removed', `delete from audit_entry where position = 3`, '3', 'an entry is missing'],
    [
      'that was removed, the rest moved up',
      `delete from audit_entry where position = 3; update audit_entry set position = position - 1 where position > 3`,
      '3',
      'it does not follow the entry before it',
    ],
    [
      'that was put in between',
      `update audit_entry set position = -position where position > 3;
       update audit_entry set position = 1 - position where position < 0;
       insert into audit_entry (at, actor, action, subject, details, position, previous_hash, hash)
         select at, actor, action, 'forged', details, 4, hash, 'forged' from audit_entry where position = 3`,
      '4',
      'its content was changed',
    ],
    [
      'that changed places with another',
      `update audit_entry set position = -position where position in (2, 3);
       update audit_entry set position = 5 + position where position < 0`,
      '2',
      'it does not follow the entry before it',
    ],
  ])('tells of an entry %s', async (_, statement, position, reason) => {
    await record(6);
    await sealAll();
    await tamper(statement);
    const report = await verifyAudit(app.context());
    expect(report.broken).toEqual({ position, reason });
    expect(report.checked).toBe(Number(position) - 1);
  });

  it('knows its head; kept outside, it tells of entries cut off the end', async () => {
    await record(6);
    await sealAll();
    const { head } = await verifyAudit(app.context());
    if (!head) throw new Error('a sealed chain has a head');
    expect(head.position).toBe('6');
    expect((await verifyAudit(app.context(), head)).broken).toBeUndefined();
    await tamper('delete from audit_entry where position > 4');
    expect((await verifyAudit(app.context(), head)).broken).toEqual({ position: '5', reason: 'an entry is missing' });
  });

  it('and of a chain that was built anew over other entries', async () => {
    await record(3);
    await sealAll();
    const { head } = await verifyAudit(app.context());
    if (!head) throw new Error('a sealed chain has a head');
    await tamper(`update audit_entry set actor = 'x', hash = null, previous_hash = null, position = null`);
    await sealAll();
    expect((await verifyAudit(app.context())).broken).toBeUndefined();
    expect((await verifyAudit(app.context(), head)).broken).toEqual({
      position: '3',
      reason: 'it is not the entry that was sealed here',
    });
  });

  it('an empty chain has no head', async () => {
    expect(await verifyAudit(app.context())).toEqual({ checked: 0, waiting: 0, head: null });
  });
});
