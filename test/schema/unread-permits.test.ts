import { beforeAll, expect, test } from 'vitest';
import { Permit, UnreadPermit } from '../../src/entities/permit.ts';
import type { SignedInStaff } from '../../src/staff/rights.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

/** What could not be read is shown to staff where they look at permits. */
let staff: SignedInStaff;
const app = await testApp();
beforeAll(async () => {
  staff = await newStaff(app, 'support');
});

const PERMITS = `query ($unread: Boolean) { permits(unread: $unread, first: 50) {
  totalCount nodes { id unread { reason since tries retryAt } } } }`;

interface Answer {
  permits: { totalCount: number; nodes: { id: string; unread: Record<string, unknown> | null }[] };
}

test('permits that could not be read are a filter of the list, with the reason and the next try', async () => {
  const { em } = app.context();
  const [bad, ...others] = await em.find(Permit, {}, { orderBy: { id: 'asc' } });
  if (!bad) throw new Error('the starter kit has permits');
  const since = new Date('2026-11-25T10:00:00.000Z');
  const retryAt = new Date('2026-11-25T10:00:20.000Z');
  em.create(UnreadPermit, { permit: bad, reason: 'permit state 7', since, tries: 2, slot: 7n, retryAt });
  await em.flush();

  const list = async (unread: boolean | null) => (await runAs<Answer>(app, staff, PERMITS, { unread })).permits;
  const unread = { reason: 'permit state 7', since: since.toISOString(), tries: 2, retryAt: retryAt.toISOString() };
  expect(JSON.parse(JSON.stringify(await list(true)))).toEqual({ totalCount: 1, nodes: [{ id: bad.id, unread }] });
  const readable = await list(false);
  expect(readable.totalCount).toBe(others.length);
  expect(readable.nodes.every((permit) => permit.unread === null && permit.id !== bad.id)).toBe(true);
  expect((await list(null)).totalCount).toBe(others.length + 1);
});
