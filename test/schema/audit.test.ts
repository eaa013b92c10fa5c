import { describe, expect, it, test } from 'vitest';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { Permit } from '../../src/entities/permit.ts';
import type { SignedInStaff } from '../../src/partners/rights.ts';
import { inviteStaff } from '../../src/people/staff/make-link.ts';
import { createStaffToken } from '../../src/people/staff/staff-tokens.ts';
import { newId } from '../../src/platform/identifier/type-id.ts';
import type { StaffRole } from '../../src/platform/staff-role.ts';
import { whyOf } from '../../src/record/audit/changes.ts';
import { sealAudit } from '../../src/record/audit/seal-audit.ts';
import { countStatements } from '../support/count-statements.ts';
import { askAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';
import { writeAuditEntry } from '../support/write-audit-entry.ts';

const app = await testApp();
const reviewer = await invited('reviewer');

/** Staff whose tokens are taken: they came by a link, as the app says. */
async function invited(role: StaffRole): Promise<SignedInStaff> {
  const name = `Some ${role}`;
  const { staffId } = await inviteStaff(app.context(), { name, role }, 'staff:stf_test');
  return { id: staffId, name, email: null, role, authenticatedAt: app.runtime.now(), scopes: null };
}

const tokenOf = async (scope: string, staff: SignedInStaff) =>
  (await createStaffToken(app.context(), { name: 'export', scopes: [scope], days: 1 }, staff)).value;
const token = await tokenOf('audit:read', reviewer);
const context = app.context();
writeAuditEntry(context, {
  actor: `staff:${reviewer.id}`,
  action: 'thing.edited',
  subject: '=cmd()',
  details: { before: { name: 'Old', kept: 1 }, after: { name: 'New', kept: 1 }, note: '"quoted", and\na line' },
});
for (let i = 0; i < 30; i++) {
  writeAuditEntry(context, { actor: `client:${app.kit.client_id}`, action: 'bulk.done', subject: `s${i}` });
}
await context.em.flush();
while ((await sealAudit(app.context())) > 0);

const ENTRIES = `query ($filter: AuditFilter, $first: Int, $after: String) {
auditEntries(filter: $filter, first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor }
  nodes { id at actor actorName action subject details changes { field before after } position hash } } }`;

interface Entries {
  pageInfo: { hasNextPage: boolean; endCursor: string };
  nodes: { subject: string }[];
}
const entriesOf = (variables: object): Promise<Entries> => askAs(app, reviewer, ENTRIES, { ...variables });

describe('the audit log', () => {
  it('shows what an edit changed, and actors by name', async () => {
    expect((await entriesOf({ filter: { action: 'thing' } })).nodes).toMatchObject([
      {
        actorName: 'Some reviewer',
        changes: [{ field: 'name', before: 'Old', after: 'New' }],
        position: expect.stringMatching(/^\d+$/),
        hash: expect.any(String),
      },
    ]);
    expect((await entriesOf({ filter: { subject: 's3' } })).nodes).toMatchObject([
      { actorName: 'Front Row', changes: [] },
    ]);
  });

  it('is paged newest first, with as many statements for a long page as for a short one', async () => {
    const subjects: string[] = [];
    let after: string | null = null;
    for (let pages = 0; pages < 9; pages++) {
      const { nodes, pageInfo } = await entriesOf({ filter: { action: 'bulk' }, first: 7, after });
      subjects.push(...nodes.map(({ subject }) => subject));
      after = pageInfo.endCursor;
      if (!pageInfo.hasNextPage) break;
    }
    expect(subjects).toEqual(Array.from({ length: 30 }, (_, i) => `s${29 - i}`));
    const few = await countStatements(() => entriesOf({ filter: { action: 'bulk' }, first: 2 }));
    const many = await countStatements(() => entriesOf({ filter: { action: 'bulk' }, first: 30 }));
    expect(many.statements.length).toBe(few.statements.length);
  });
});

describe('an export', () => {
  const bearer = { authorization: `Bearer ${token}` };
  function download(path: string, headers: Record<string, string> = bearer) {
    return fetch(`${app.config.adminUrl}${path}`, { headers });
  }

  it('in JSON has every entry of the filter as it is', async () => {
    const answer = await download('/audit.json?action=bulk');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.json"$/);
    const entries = (await answer.json()) as { subject: string }[];
    expect(entries.map(({ subject }) => subject)).toEqual(Array.from({ length: 30 }, (_, i) => `s${29 - i}`));
    expect(entries[0]).toMatchObject({
      actor: `client:${app.kit.client_id}`,
      details: {},
      position: expect.any(String),
    });
    expect(await (await download('/audit.json?action=nothing.done')).json()).toEqual([]);
  });

  it('in CSV has quoted cells, none that a spreadsheet takes for a formula, and is on record with who made it', async () => {
    const answer = await download('/audit.csv?action=thing.edited');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const text = Buffer.from(await answer.arrayBuffer()).toString();
    const [head, row] = text.split('\r\n');
    // spreadsheets read the mark, or take each accent for two letters
    expect(head).toBe('\ufeffid,at,actor,action,subject,details,request_id,position,previous_hash,hash');
    expect(row).toContain(",thing.edited,'=cmd(),");
    expect(row).toContain('""note"":""\\""quoted\\"", and\\na line""');
    expect(text.trim().split('\r\n')).toHaveLength(2);
    const made = { action: 'audit.exported', actor: `staff:${reviewer.id}` } as const;
    const { details } = await app.context().em.findOneOrFail(AuditEntry, made, { orderBy: { id: 'desc' } });
    expect(details).toMatchObject({ format: 'csv', filter: { action: 'thing.edited' } });
  });

  it.each<[string, string, number, Record<string, string> | undefined]>([
    ['for nobody', '/audit.csv', 401, {}],
    ['for a token that is none', '/audit.csv', 401, { authorization: `Bearer st_${'x'.repeat(43)}` }],
    ['with a filter that does not exist', '/audit.csv?who=me', 400, undefined],
    ['with a moment that is none', '/audit.json?from=yesterday', 400, undefined],
    ['with a moment before the first year', '/audit.json?from=0000-01-01T00:00:00Z', 400, undefined],
    ['with a NUL', '/audit.json?text=a%00', 400, undefined],
    ['where another site sent the browser', '/audit.csv', 403, { ...bearer, 'sec-fetch-site': 'cross-site' }],
  ])('is refused %s', async (_, path, status, headers) => {
    const before = await app.context().em.count(AuditEntry, { action: 'audit.exported' });
    const answer = await download(path, headers);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ errors: [{ message: expect.any(String) }] });
    expect(await app.context().em.count(AuditEntry, { action: 'audit.exported' })).toBe(before);
  });

  it('is refused for a role without the right, which is on record', async () => {
    const support = await invited('support');
    const value = await tokenOf('console:read', support);
    expect((await download('/audit.csv', { authorization: `Bearer ${value}` })).status).toBe(403);
    const { em } = app.context();
    expect(await em.count(AuditEntry, { action: 'staff.refused', subject: support.id })).toBe(1);
  });
});

interface Named {
  nodes: { subject: string; subjectName: string | null; actorName: string | null }[];
}
const read = (first: number): Promise<Named> =>
  askAs(
    app,
    reviewer,
    `{ auditEntries(first: ${first}, filter: { action: "name" }) { nodes { subject subjectName actorName } } }`,
  );

test('targets are shown by name, each kind by as many statements for a long page as for a short one', async () => {
  const context = app.context();
  const {
    id: permit,
    ticket,
    partner,
  } = await context.em.findOneOrFail(Permit, { partner: { $ne: null } }, { populate: ['ticket.ticketType'] });
  const { id: type, event } = ticket.ticketType;
  const ids = {
    fan: app.kit.test_users[0]?.id ?? '',
    partner: partner?.id ?? '',
    event: event.id,
    permit,
    ticket: ticket.id,
    type,
  };
  const entry = (subject: string, actor = `staff:${reviewer.id}`) =>
    writeAuditEntry(context, { actor, action: 'name.shown', subject });
  for (let round = 0; round < 3; round++) {
    for (const id of [app.kit.client_id, ...Object.values(ids), reviewer.id]) entry(id);
  }
  entry(newId('client'));
  entry('FR', `fan:${ids.fan}`);
  await context.em.flush();

  const { nodes } = await read(26);
  const names = new Map(nodes.map(({ subject, subjectName }) => [subject, subjectName]));
  expect(names.get(app.kit.client_id)).toBe('Front Row');
  expect(names.get(reviewer.id)).toBe('Some reviewer');
  expect(names.get(ids.fan)).toMatch(/^Test user \+\d+$/);
  expect(names.get(ids.partner)).toBe('Front Row');
  expect(names.get(ids.event)).toEqual(expect.any(String));
  for (const id of [ids.permit, ids.ticket, ids.type]) expect(names.get(id)).toContain(', ');
  expect(names.get('FR')).toBeNull();
  expect(nodes[0]?.actorName).toMatch(/^Test user/);
  expect(nodes[1]?.subjectName).toBeNull();

  const [short, long] = [await countStatements(() => read(11)), await countStatements(() => read(26))];
  expect(long.statements.length).toBe(short.statements.length);
});

test('the reason is what a person typed, also where the service adds a code; otherwise the code in words', () => {
  expect(whyOf({ reason: 'revoked_by_staff', note: 'The fan lost the phone.' })).toBe('The fan lost the phone.');
  expect(whyOf({ reason: 'Their key leaked.' })).toBe('Their key leaked.');
  expect(whyOf({ reason: 'code_reuse' })).toBe('An authorization code was used twice.');
  expect(whyOf({ reason: 'an_unknown_code', note: ' ' })).toBe('an_unknown_code');
  expect(whyOf({ name: 'Encore' })).toBeNull();
});
