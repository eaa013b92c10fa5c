import { describe, expect, test } from 'vitest';
import { registerClient } from '../../src/client/register-client.ts';
import { takeClientStep } from '../../src/client/take-step.ts';
import { Staff } from '../../src/entities/staff.ts';
import { registerPartner } from '../../src/partner/register-partner.ts';
import { countStatements } from '../support/count-statements.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

interface Answer {
  list: {
    totalCount: number;
    hasMoreThanTotal: boolean;
    nodes: { id: string; name: string }[];
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  };
}

const PAGE = 'nodes { id name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

const app = await testApp();
const admin = await newStaff(app, 'admin');

const ask = async (fields: string) => (await runAs<Answer>(app, admin, `{ list: ${fields} }`)).list;
const namesOf = ({ nodes }: Answer['list']) => nodes.map(({ name }) => name);

/** The names of a whole list, read page by page to its end, and back again. */
async function walk(field: string, args: string): Promise<{ there: string[]; back: string[] }> {
  const there: string[] = [];
  let page = await ask(`${field}(first: 2, ${args}) { ${PAGE} }`);
  there.push(...namesOf(page));
  while (page.pageInfo.hasNextPage) {
    page = await ask(`${field}(first: 2, after: "${page.pageInfo.endCursor}", ${args}) { ${PAGE} }`);
    there.push(...namesOf(page));
  }
  const back = namesOf(page);
  while (page.pageInfo.hasPreviousPage) {
    page = await ask(`${field}(last: 2, before: "${page.pageInfo.startCursor}", ${args}) { ${PAGE} }`);
    back.unshift(...namesOf(page));
  }
  return { there, back };
}

describe('the order of a list', () => {
  test('a text sorts in either case, both ways, and each row is on one page, in both directions', async () => {
    const context = app.context();
    for (const name of ['sort beta', 'Sort Alpha', 'sort gamma', 'Sort Delta', 'Sort 100 %']) {
      await registerPartner(context, name, 'system');
    }
    await context.em.flush();
    const sorted = ['Sort 100 %', 'Sort Alpha', 'sort beta', 'Sort Delta', 'sort gamma'];

    const up = await walk('partners', 'search: "sort", sort: NAME');
    const down = await walk('partners', 'search: "sort", sort: NAME_DESC');
    expect([up.there, up.back]).toEqual([sorted, sorted]);
    expect([down.there, down.back]).toEqual([sorted.toReversed(), sorted.toReversed()]);
  });

  test('rows with equal values, or with none, keep their places from page to page', async () => {
    const { em } = app.context();
    const [early, late] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z')];
    const signedIn = { a: null, b: early, c: early, d: early, e: late, f: null, g: null };
    for (const [name, lastSignInAt] of Object.entries(signedIn)) {
      const person = { issuer: 'https://ties.example', subject: name, name: `tie ${name}`, role: 'support' as const };
      em.create(Staff, { ...person, createdAt: new Date(), lastSignInAt });
    }
    await em.flush();

    for (const [order, last] of [
      ['LAST_SIGN_IN', 'tie e'],
      ['LAST_SIGN_IN_DESC', 'tie a'],
    ] as const) {
      const { there, back } = await walk('staff', `search: "tie ", sort: ${order}`);
      expect(there.toSorted()).toEqual(Object.keys(signedIn).map((name) => `tie ${name}`));
      expect(back).toEqual(there);
      expect(there.at(-1)).toBe(last);
    }
  });

  test('a state sorts by its place in the life cycle', async () => {
    const begun = app.context();
    const partner = await registerPartner(begun, 'Cycle', 'system');
    const registration = { redirectUris: ['https://cycle.example/cb'], scopes: ['openid'] };
    const ids = ['cycle draft', 'cycle in review'].map(
      (name) => registerClient(begun, partner, { name, mode: 'production', ...registration }, 'system').id,
    );
    registerClient(begun, partner, { name: 'cycle sandbox', mode: 'sandbox', ...registration }, 'system');
    await begun.em.flush();
    await takeClientStep(app.context(), 'submit', { clientId: ids[1] ?? '', reason: 'Ready.' }, 'system');

    const { there, back } = await walk('clients', 'search: "cycle", sort: STATUS');
    expect([there, back]).toEqual(Array(2).fill(['cycle draft', 'cycle sandbox', 'cycle in review']));
  });

  test('a queue has its oldest entry first', async () => {
    const begun = app.context();
    const partner = await registerPartner(begun, 'Queue', 'system');
    const registration = { redirectUris: ['https://queue.example/cb'], scopes: ['openid'] };
    const waiting = ['first in', 'second in', 'third in'].map(
      (name) => registerClient(begun, partner, { name, mode: 'production', ...registration }, 'system').id,
    );
    await begun.em.flush();
    for (const clientId of waiting) {
      await takeClientStep(app.context(), 'submit', { clientId, reason: 'Ready.' }, 'system');
    }
    const { list } = await runAs<{ list: { nodes: { client: { name: string } }[] } }>(
      app,
      admin,
      '{ list: reviewQueue { nodes { client { name } } } }',
    );
    expect(list.nodes.map(({ client }) => client.name).slice(-3)).toEqual(['first in', 'second in', 'third in']);
  });

  test('a cursor of another order is refused by name', async () => {
    const plain = (await ask(`partners(first: 1) { ${PAGE} }`)).pageInfo.endCursor;
    const bySort = (await ask(`partners(first: 1, sort: NAME) { ${PAGE} }`)).pageInfo.endCursor;
    const foreign = Buffer.from(JSON.stringify(['ptn_x', 'a\0b'])).toString('base64url');
    for (const args of [`sort: NAME, after: "${plain}"`, `after: "${bySort}"`, `sort: NAME, after: "${foreign}"`]) {
      await expect(ask(`partners(${args}) { ${PAGE} }`)).rejects.toMatchObject({ code: 'invalid_request' });
    }
    const noDate = Buffer.from(JSON.stringify([admin.id, 'yesterday'])).toString('base64url');
    await expect(ask(`staff(sort: LAST_SIGN_IN, after: "${noDate}") { ${PAGE} }`)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('the total of a list', () => {
  const count = (args = '') =>
    runAs<Answer>(app, admin, `{ list: auditEntries(first: 0${args}) { totalCount hasMoreThanTotal } }`);

  test('is exact up to 10,000, and above says that there are more', async () => {
    const { em } = app.context();
    await em.execute(
      `insert into audit_entry (at, actor, action, subject, details)
       select now(), 'system', 'grant.given', 'many' || (n > 10000), '{}' from generate_series(1, 20001) n`,
    );
    expect((await count(', filter: { subject: "manyfalse" }')).list).toEqual({
      totalCount: 10_000,
      hasMoreThanTotal: false,
    });
    expect((await count(', filter: { subject: "manytrue" }')).list).toEqual({
      totalCount: 10_000,
      hasMoreThanTotal: true,
    });
  });

  test('is counted once, to its limit, only if it is asked for, and then without reading rows', async () => {
    const counts = (statements: string[]) => statements.filter((text) => text.includes('count('));
    const page = await countStatements(() => ask('auditEntries(first: 25) { nodes { id name: action } }'));
    expect(counts(page.statements)).toEqual([]);
    const total = await countStatements(count);
    expect(counts(total.statements)).toHaveLength(1);
    expect(counts(total.statements)[0]).toMatch(/limit (10001|\$\d+|\?)/);
    expect(total.statements.filter((text) => text.includes('from "audit_entry"'))).toHaveLength(1);
  });
});
