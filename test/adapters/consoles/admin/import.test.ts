import { describe, expect, test, vi } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { ImportFailure, ImportRun } from '../../../../src/entities/import-run.ts';
import { Ticket } from '../../../../src/entities/ticket.ts';
import { rerunFailures } from '../../../../src/inventory/import/import-rows.ts';
import { DEAD_AFTER, interruptDeadRuns } from '../../../../src/inventory/import/run-record.ts';
import { inviteStaff } from '../../../../src/people/staff/make-link.ts';
import { createStaffToken } from '../../../../src/people/staff/staff-tokens.ts';
import { newEvent, ticketRow } from '../../../src/inventory/stage.ts';
import { asNdjson, beginUpload, IMPORT_ENV, importBody, importToken } from '../../../support/import-calls.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp({ env: IMPORT_ENV });
const token = await importToken(app);

async function staffToken(scopes: string[]): Promise<string> {
  const name = `Ada ${crypto.randomUUID()}`;
  const { staffId: id } = await inviteStaff(app.context(), { name, role: 'admin' }, 'system');
  const admin = { id, name, email: null, role: 'admin', authenticatedAt: app.runtime.now(), scopes: null } as const;
  return (await createStaffToken(app.context(), { name: 'import', scopes, days: 1 }, admin)).value;
}

const failuresOf = (run: string) =>
  app.context().em.find(ImportFailure, { run: run as never }, { orderBy: { line: 'asc' } });
const runOf = (run: string) => app.context().em.findOneOrFail(ImportRun, { id: run as never });
const tickets = (prefix: string) => app.context().em.count(Ticket, { reference: { $like: `${prefix}%` } });

/** An event with its type, and tickets of it. */
function season(prefix: string, count: number) {
  const { event, type, rows } = newEvent();
  const all = Array.from({ length: count }, (_, index) =>
    ticketRow(event, type, `${prefix}-${index}`, { holder_phone: `+1202555${String(1000 + (index % 50))}` }),
  );
  return { before: rows, tickets: all, all: [...rows, ...all] };
}

describe('a file of rows', () => {
  test('is applied, and the last line of the answer sums it up', async () => {
    const { all } = season('whole', 1_200);
    const summary = await importBody(app, token, asNdjson(all), '?name=season.ndjson');
    expect(summary).toEqual({
      run: expect.stringMatching(/^imp_/),
      state: 'finished',
      lines: 1_202,
      created: 1_202,
      updated: 0,
      unchanged: 0,
      stale: 0,
      failed: 0,
    });
    expect(await tickets('whole-')).toBe(1_200);
    expect(await runOf(summary.run)).toMatchObject({ state: 'finished', fileName: 'season.ndjson', receivedAll: true });
    const audit = await app.context().em.find(AuditEntry, { subject: summary.run }, { orderBy: { id: 'asc' } });
    expect(audit.map(({ action }) => action)).toEqual([
      'import_run.started',
      ...Array(5).fill('inventory.applied'),
      'import_run.finished',
    ]);
    expect(audit.every(({ actor }) => actor.startsWith('service:sva_'))).toBe(true);
  });

  test('may have its rows in any order, over many batches', async () => {
    const { all } = season('order', 1_100);
    const summary = await importBody(app, token, asNdjson(all.toReversed()));
    expect(summary).toMatchObject({ state: 'finished', created: 1_102, failed: 0 });
    expect(await failuresOf(summary.run)).toEqual([]);
    expect(await tickets('order-')).toBe(1_100);
  });

  test('twice at once is as good as once', async () => {
    const { all } = season('both', 1_000);
    const body = asNdjson(all);
    const runs = await Promise.all([importBody(app, token, body), importBody(app, token, body)]);
    for (const { created, unchanged, failed } of runs)
      expect({ sum: created + unchanged, failed }).toEqual({ sum: 1_002, failed: 0 });
    expect(runs[0].created + runs[1].created).toBe(1_002);
    expect(await tickets('both-')).toBe(1_000);
  });

  test('may be CSV', async () => {
    const { before, tickets: rows } = season('csv', 2);
    const columns = 'kind reference event ticket_type name venue starts_at ends_at holder_phone'.split(' ');
    const cells = [...before, ...rows].map((row) =>
      columns.map((name) => `"${String((row as Record<string, unknown>)[name] ?? '')}"`).join(','),
    );
    const body = `\ufeff${columns.join(',')}\r\n${cells.join('\r\n')}\r\n`;
    const summary = await importBody(app, token, body, '', 'text/csv; charset=utf-8');
    expect(summary).toMatchObject({ state: 'finished', lines: 5, created: 4, failed: 0 });
  });
});

describe('a bad line', () => {
  test('fails alone, with its number, its reason and what it was', async () => {
    const { before } = season('bad', 0);
    const good = asNdjson(before).trimEnd().split('\n');
    const body = Buffer.concat([
      Buffer.from(`${good[0]}\n{"kind":\n\n`),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from(`"${'x'.repeat(20_000)}"\n[1]\n{"kind":"sponsor","reference":"a"}\n${good[1]}`),
    ]);
    const summary = await importBody(app, token, body);
    expect(summary).toMatchObject({ state: 'finished', lines: 8, created: 2, failed: 5 });
    expect((await failuresOf(summary.run)).map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'invalid_json'],
      [4, 'invalid_utf8'],
      [5, 'line_too_long'],
      [6, 'invalid_json'],
      [7, 'invalid_row'],
    ]);
  });

  test.each([
    ['kind,reference,colour\n', 'unknown column: colour'],
    ['reference,name\n', 'must name the column kind'],
    ['kind,reference,kind\n', 'names kind twice'],
  ])('a CSV header %j stops the run', async (body, told) => {
    expect(await importBody(app, token, body, '', 'text/csv')).toMatchObject({
      state: 'interrupted',
      message: expect.stringContaining(told),
    });
  });
});

describe('rows that failed', () => {
  test('are returned as they were sent, and the run goes on once they are corrected', async () => {
    const { before, tickets: rows } = season('mend', 2);
    const [first, second] = rows;
    const body = asNdjson([...before, { ...first, holder_phone: '555' }, second ?? {}]);
    const { run, failed } = await importBody(app, token, `${body}no row\n`);
    expect(failed).toBe(2);
    const answer = await fetch(`${app.config.adminUrl}/import/${run}/failures`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
    const text = await answer.text();
    const exported = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(exported).toEqual([
      { ...first, holder_phone: '555', _line: 3, _reason: 'invalid_row', _message: expect.stringContaining('phone') },
      { _text: 'no row', _line: 5, _reason: 'invalid_json', _message: expect.any(String) },
    ]);
    const mended = text.replace('"555"', '"+12025550177"').split('\n')[0] ?? '';
    expect(await importBody(app, token, mended)).toMatchObject({ created: 1, failed: 0 });
    const exports = { action: 'import_run.failures_exported', subject: run };
    expect(await app.context().em.count(AuditEntry, exports)).toBe(1);
  });

  test('of another sender need a reason where they have more than 20 phone numbers', async () => {
    const { tickets: rows } = season('many', 21);
    const { run } = await importBody(app, token, asNdjson(rows));
    const get = async (bearer: string, query = '') => {
      const headers = { authorization: `Bearer ${bearer}` };
      const answer = await fetch(`${app.config.adminUrl}/import/${run}/failures${query}`, { headers });
      return { status: answer.status, text: await answer.text() };
    };
    expect((await get(token)).status).toBe(200);
    const other = await importToken(app);
    const refused = await get(other);
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('reason_required') });
    expect(refused.text).not.toContain('+1202');
    expect((await get(other, '?reason=The%20box%20office%20mends%20them')).text).toContain('+1202');
    const { em } = app.context();
    const entries = await em.find(AuditEntry, { action: 'import_run.failures_exported', subject: run });
    expect(entries.map(({ details }) => details)).toMatchObject([
      { numbers: 0 },
      { numbers: 21, bulkReason: 'The box office mends them' },
    ]);
  });
});

describe('an import by a person', () => {
  const personsToken = () => staffToken(['inventory:write']);

  test('moves no ticket of a fan; applied once more, its rows do so no more than before', async () => {
    const { before, tickets: rows } = season('person', 2);
    await importBody(app, token, asNdjson([...before, rows[0] ?? {}]));
    const moved = { ...rows[0], holder_phone: '+12025550178' };
    const summary = await importBody(app, await personsToken(), asNdjson([moved, rows[1] ?? {}]));
    expect(summary).toMatchObject({ state: 'finished', created: 1, updated: 0, failed: 1 });
    const { done } = await rerunFailures(app.context(), summary.run, 'service:sva_box_office');
    await done;
    expect(await failuresOf(summary.run)).toMatchObject([{ reason: 'needs_confirmation', line: 1 }]);
    expect(await importBody(app, token, asNdjson([moved]))).toMatchObject({ updated: 1, failed: 0 });
  });

  test('goes on with no run of a service account, whose rows count as the company’s', async () => {
    const { all } = season('taken-over', 3);
    const { run } = await importBody(app, token, asNdjson(all));
    await app.context().em.nativeUpdate(ImportRun, { id: run as never }, { state: 'interrupted' });
    const upload = beginUpload(app, await personsToken(), `?run=${run}`);
    upload.request.end(asNdjson(all));
    expect(await upload.answer).toMatchObject({ status: 409, text: expect.stringContaining('service account') });
    expect(await importBody(app, token, asNdjson(all), `?run=${run}`)).toMatchObject({ state: 'finished' });
  });
});

describe('a broken connection', () => {
  /** Sends the beginning of a file and breaks off once some of it is stored. @returns the run */
  async function breakOff(body: string): Promise<ImportRun> {
    const upload = beginUpload(app, token, `?name=${crypto.randomUUID()}`);
    const name = new URLSearchParams(upload.request.path.split('?')[1]).get('name');
    upload.request.on('error', () => undefined);
    upload.request.write(body);
    const find = () => app.context().em.findOneOrFail(ImportRun, { fileName: name });
    await vi.waitFor(async () => expect((await find()).lines).toBeGreaterThan(0), 20_000);
    upload.request.destroy();
    await vi.waitFor(async () => expect((await find()).state).toBe('interrupted'), 20_000);
    return find();
  }

  test('leaves the run interrupted, and the same file goes on where it was', async () => {
    const { all } = season('broken', 1_800);
    const body = asNdjson(all);
    const run = await breakOff(body.slice(0, body.length / 2));
    expect(run).toMatchObject({ message: 'The connection broke off.', receivedAll: false });
    expect(run.lines % 250).toBe(0);
    const summary = await importBody(app, token, body, `?run=${run.id}`);
    // what was applied before does not come again
    expect(summary).toMatchObject({ run: run.id, state: 'finished', lines: 1_802, created: 1_802, unchanged: 0 });
    expect(await tickets('broken-')).toBe(1_800);
  });

  test('does not let another file, a shorter one or another format go on with the run', async () => {
    const { all } = season('other', 1_200);
    const body = asNdjson(all);
    const run = await breakOff(body.slice(0, -200));
    const other = await importBody(app, token, body.replace('Event', 'Feast'), `?run=${run.id}`);
    expect(other).toMatchObject({
      state: 'interrupted',
      lines: run.lines,
      message: expect.stringContaining('not the file'),
    });
    const shorter = await importBody(app, token, body.slice(0, 400), `?run=${run.id}`);
    expect(shorter).toMatchObject({ state: 'interrupted', message: expect.stringContaining('fewer than') });
    await expect(importBody(app, token, body, `?run=${run.id}`, 'text/csv')).rejects.toThrow(/409.*ndjson/);
    expect(await importBody(app, token, body, `?run=${run.id}`)).toMatchObject({ state: 'finished', failed: 0 });
    await expect(importBody(app, token, body, `?run=${run.id}`)).rejects.toThrow(/409.*finished/);
  });

  test('one caller at a time goes on with a run', async () => {
    const { all } = season('once', 1_200);
    const body = asNdjson(all);
    const run = await breakOff(body.slice(0, -200));
    const both = await Promise.allSettled([1, 2].map(() => importBody(app, token, body, `?run=${run.id}`)));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('another process marks a run as interrupted whose process died, and late writes do not count', async () => {
    const { all } = season('dead', 600);
    const upload = beginUpload(app, token, '?name=dead.ndjson');
    upload.request.write(asNdjson(all));
    const find = () => app.context().em.findOneOrFail(ImportRun, { fileName: 'dead.ndjson' });
    await vi.waitFor(async () => expect((await find()).lines).toBe(500), 20_000);
    app.advance(DEAD_AFTER + 1);
    expect(await interruptDeadRuns(app.context())).toBe(1);
    app.resetClock();
    upload.request.end();
    const { lines } = await upload.answer;
    expect(lines.at(-1)).toMatchObject({
      state: 'interrupted',
      message: expect.stringContaining('taken the run over'),
    });
    expect(await find()).toMatchObject({ state: 'interrupted', lines: 500 });
  });
});

describe('who may import', () => {
  async function status(bearer: string | undefined, query = '', type?: string): Promise<number> {
    const upload = beginUpload(app, bearer, query, type);
    upload.request.end('{}\n');
    return (await upload.answer).status;
  }

  test('a service account or an admin’s token with inventory:write, and nobody else', async () => {
    expect(await status(await staffToken(['inventory:write']))).toBe(200);
    expect(await status(await staffToken(['console:read', 'clients:write']))).toBe(403);
    expect(await status(await importToken(app, ['console:read']))).toBe(403);
    expect(await status(undefined)).toBe(401);
    expect(await status('st_none')).toBe(401);
  });

  test('a wrong request is refused before its rows are read', async () => {
    expect(await status(token, '?run=imp_x')).toBe(404);
    expect(await status(token, '?colour=red')).toBe(400);
    expect(await status(token, '', 'application/json')).toBe(415);
  });

  test('a third import at once is asked to wait', async () => {
    const open = [beginUpload(app, token), beginUpload(app, token)];
    for (const { request } of open) request.write('\n');
    const first = () => app.context().em.count(ImportRun, { state: 'running' });
    await vi.waitFor(async () => expect(await first()).toBe(2), 10_000);
    const third = beginUpload(app, token);
    third.request.end('{}\n');
    const refused = await third.answer;
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    for (const { request } of open) request.end();
    for (const { answer } of open) expect((await answer).lines.at(-1)).toMatchObject({ state: 'finished' });
    expect(await status(token)).toBe(200);
  });
});
