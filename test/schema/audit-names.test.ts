import { expect, test } from 'vitest';
import { whyOf } from '../../src/audit/why.ts';
import { newId } from '../../src/identifier/type-id.ts';
import { countStatements } from '../support/count-statements.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';
import { writeAuditEntry } from '../support/write-audit-entry.ts';

interface Entries {
  auditEntries: { nodes: { subject: string; subjectName: string | null; actorName: string | null; why: string }[] };
}

const app = await testApp();
const reviewer = await newStaff(app, 'reviewer');
const kit = await app
  .context()
  .em.execute<{ fan: string; partner: string; event: string; permit: string; ticket: string; type: string }[]>(
    'select u.fan_id as fan, u.partner_id as partner, (select id from event limit 1) as event, (select id from permit limit 1) as permit, (select id from ticket limit 1) as ticket, (select id from ticket_type limit 1) as type from test_user u limit 1',
  );

const read = (first: number) =>
  runAs<Entries>(
    app,
    reviewer,
    `{ auditEntries(first: ${first}, filter: { action: "name" }) { nodes { subject subjectName actorName why } } }`,
  );

test('targets are shown by name, each kind by as many statements for a long page as for a short one', async () => {
  const { idOf } = await import('../../src/identifier/type-id.ts');
  const row = kit[0];
  if (!row) throw new Error('the starter kit has a test user');
  const ids = {
    fan: idOf('usr', row.fan as never),
    partner: idOf('ptn', row.partner as never),
    event: idOf('evt', row.event as never),
    permit: idOf('perm', row.permit as never),
    ticket: idOf('tkt', row.ticket as never),
    type: idOf('typ', row.type as never),
  };
  const context = app.context();
  const entry = (subject: string, actor = `staff:${reviewer.id}`) =>
    writeAuditEntry(context, { actor, action: 'name.shown', subject });
  for (let round = 0; round < 3; round++) {
    for (const id of [app.kit.client_id, ...Object.values(ids), reviewer.id]) entry(id);
  }
  entry(newId('client'));
  entry('FR', `fan:${ids.fan}`);
  await context.em.flush();

  const { auditEntries } = await read(26);
  const names = new Map(auditEntries.nodes.map(({ subject, subjectName }) => [subject, subjectName]));
  expect(names.get(app.kit.client_id)).toBe('Front Row');
  expect(names.get(reviewer.id)).toBe('Some reviewer');
  expect(names.get(ids.fan)).toMatch(/^Test user \+\d+$/);
  expect(names.get(ids.partner)).toBe('Front Row');
  expect(names.get(ids.event)).toEqual(expect.any(String));
  for (const id of [ids.permit, ids.ticket, ids.type]) expect(names.get(id)).toContain(', ');
  expect(names.get('FR')).toBeNull();
  expect(auditEntries.nodes[0]?.actorName).toMatch(/^Test user/);
  expect(auditEntries.nodes[1]?.subjectName).toBeNull();

  const [short, long] = [await countStatements(() => read(11)), await countStatements(() => read(26))];
  expect(long.statements.length).toBe(short.statements.length);
});

test('the why is what a person typed, also where the service notes a code beside it; else the code in words', () => {
  expect(whyOf({ reason: 'revoked_by_staff', note: 'The fan lost the phone.' })).toBe('The fan lost the phone.');
  expect(whyOf({ reason: 'Their key leaked.' })).toBe('Their key leaked.');
  expect(whyOf({ reason: 'code_reuse' })).toBe('An authorization code was used twice.');
  expect(whyOf({ reason: 'an_unknown_code', note: ' ' })).toBe('an_unknown_code');
  expect(whyOf({ name: 'Encore' })).toBeNull();
});
