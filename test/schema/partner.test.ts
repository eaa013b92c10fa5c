import { expect, test } from 'vitest';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp();
const support = await newStaff(app, 'support');
const REGISTER = `mutation ($name: String!) {
  registerPartner(name: $name) { __typename ... on Partner { name clientCount } ... on Refusal { code message } }
}`;
const PAGE = `query ($first: Int, $after: String, $search: String) {
  partners(first: $first, after: $after, search: $search) {
    totalCount nodes { name clientCount } pageInfo { hasNextPage endCursor }
  }
}`;
interface Page {
  partners: {
    totalCount: number;
    nodes: { name: string; clientCount: number }[];
    pageInfo: { hasNextPage: boolean; endCursor: string };
  };
}

test('a name that looks like another one is refused', async () => {
  expect(await runAs(app, support, REGISTER, { name: 'Stаge Door' })).toMatchObject({
    registerPartner: { code: 'invalid_request', message: expect.stringContaining('(Stаge)') },
  });
});

test('of several at once with one name, one is registered', async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      runAs<{ registerPartner: { code?: string } }>(app, support, REGISTER, { name: 'Rush' }),
    ),
  );
  expect(answers.map(({ registerPartner }) => registerPartner.code ?? 'registered').sort()).toEqual([
    'conflict',
    'conflict',
    'conflict',
    'registered',
  ]);
});

test('a partner gets another name, unless it is taken', async () => {
  const { partners } = await runAs<{ partners: { nodes: { id: string; name: string }[] } }>(
    app,
    support,
    '{ partners { nodes { id name } } }',
  );
  const id = partners.nodes.find(({ name }) => name === 'Rush')?.id;
  const rename = `mutation ($id: ID!, $name: String!) {
    renamePartner(partnerId: $id, name: $name) { ... on Partner { name } ... on Refusal { code } } }`;
  expect(await runAs(app, support, rename, { id, name: ' Stage Left ' })).toEqual({
    renamePartner: { name: 'Stage Left' },
  });
  expect(await runAs(app, support, rename, { id, name: 'Front Row' })).toEqual({ renamePartner: { code: 'conflict' } });
  expect(await runAs(app, support, rename, { id: 'x', name: 'X' })).toEqual({ renamePartner: { code: 'not_found' } });
});

test('pages follow each other without a gap or a repetition, newest first', async () => {
  for (const name of ['A 100% match', 'Another', 'One more']) await runAs(app, support, REGISTER, { name });
  const names: string[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < 20; pages += 1) {
    const { partners }: Page = await runAs<Page>(app, support, PAGE, { first: 2, after });
    names.push(...partners.nodes.map(({ name }) => name));
    after = partners.pageInfo.endCursor;
    if (!partners.pageInfo.hasNextPage) break;
  }
  const { partners } = await runAs<Page>(app, support, PAGE, {});
  expect(names).toEqual(partners.nodes.map(({ name }) => name));
  expect(names.slice(0, 3)).toEqual(['One more', 'Another', 'A 100% match']);
  expect(partners.totalCount).toBe(names.length);
});

test('what is searched for is taken literally', async () => {
  const found = async (search: string) =>
    (await runAs<Page>(app, support, PAGE, { search })).partners.nodes.map(({ name }) => name);
  expect(await found('100%')).toEqual(['A 100% match']);
  expect(await found('0_%')).toEqual([]);
});

test('a cursor of another list and a page that is too large are refused in words', async () => {
  const other = 'usr_01h455vb4pex5vsknk084sn02q';
  await expect(runAs(app, support, PAGE, { after: other })).rejects.toThrow('The cursor belongs to another list.');
  await expect(runAs(app, support, PAGE, { first: 101 })).rejects.toThrow('first must be 0 to 100.');
});
