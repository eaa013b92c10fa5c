import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { testUser } from '../../../adapters/fan-pages/login/login-calls.ts';
import { callFan, signIn, type Tokens } from '../../../support/partner.ts';
import { giveTicket } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp({ env: { ACCESS_TOKEN_TTL: '600' } });
// microseconds and ties must not trip the cursor
const startsAt = new Date(app.context().now().getTime() + 40 * 86_400_000 + 123);
for (let i = 0; i < 5; i++) await giveTicket(app, testUser(app), { mode: 'sandbox', startsAt });
const tokens = await signIn(app);

async function get(query: string) {
  const { status, headers, body } = await callFan(app, `/tickets${query}`, tokens.access_token);
  const tickets = (body.tickets ?? []) as { id: string }[];
  return { status, headers, message: body.message, body, ids: tickets.map(({ id }) => id) };
}

/** Follows `rel="next"` to the end. */
async function walk(query: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = `${app.config.apiUrl}/tickets${query}`; next !== undefined; ) {
    const answer: Response = await fetch(next, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as { user_id: string; tickets: { id: string }[] };
    expect(Object.keys(body)).toEqual(['user_id', 'tickets']);
    pages.push(body.tickets.map(({ id }) => id));
    next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return pages;
}

describe('paging of GET /tickets', () => {
  it.each([1, 2, 4, 8, 9, 10, 200])('limit=%i: the pages are the whole list, once and in order', async (limit) => {
    const { ids: all } = await get('');
    expect(all).toHaveLength(9);
    const pages = await walk(`?limit=${limit}`);
    expect(pages.flat()).toEqual(all);
    expect(pages).toHaveLength(Math.ceil(9 / limit));
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
  });

  it('the link keeps the filter', async () => {
    const { body } = await get('');
    const event = (body.tickets as { svc_event_id: string }[]).at(-1)?.svc_event_id;
    expect((await walk(`?event_id=${event}&limit=1`)).flat()).toEqual((await get(`?event_id=${event}`)).ids);
  });

  it('a page that was read goes on where it stopped, also when its last ticket is gone by then', async () => {
    const all = (await get('')).ids;
    const first = await get('?limit=3');
    const next = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1];
    const last = uuidOf('tkt', knownId('tkt', first.ids.at(-1) ?? ''));
    await app.runtime.pool.query('update permit set revoked_at = now() where ticket_id = $1', [last]);
    expect((await get(`?limit=3&cursor=${next}`)).ids).toEqual(all.slice(3, 6));
    await app.runtime.pool.query('update permit set revoked_at = null');
  });

  it.each(['0', '201', '-1', '1.5', '1e2', 'ten', '', ' 5', '0x10'])(
    'a limit of "%s" is refused by 400 that names the field',
    async (limit) => {
      const { status, message, headers } = await get(`?limit=${encodeURIComponent(limit)}`);
      expect(status).toBe(400);
      expect(message).toBe('limit must be a whole number from 1 to 200');
      expect(headers.get('x-error-code')).toBe('invalid_request');
    },
  );

  it.each([
    ['empty', ''],
    ['no base64url', '%%%'],
    ['another text', encode('hello')],
    ['a time that is none', encode('abc 01890000-0000-7000-8000-000000000000')],
    ['a time beyond all calendars', encode('999999999999999 01890000-0000-7000-8000-000000000000')],
    ['dashes for an identifier', encode('1 ------------------------------------')],
    ['a misplaced dash', encode('1 018900000-000-7000-8000-000000000000')],
    ['a NUL', encode('1 01890000-0000-7000-8000-00000000000\0')],
    ['SQL', encode("1 ' or true --")],
    ['too long', 'A'.repeat(201)],
  ])('a cursor that this API did not give out (%s) is refused by 400 that names the field', async (_, cursor) => {
    const { status, message } = await get(`?cursor=${encodeURIComponent(cursor)}`);
    expect(status).toBe(400);
    expect(message).toBe('cursor must be one that this API gave out');
  });
});

it('D-240: requests for tickets that share a statement: get each the answer that they get alone: of their fan, filter, page and grant', async () => {
  const [one, other] = app.kit.test_users;
  const [first, second, revoked] = [await signIn(app, one), await signIn(app, other), await signIn(app, one)];
  await app.runtime.pool.query('update consent_grant set revoked_at = now() where id = $1', [
    uuidOf('grant', revoked.grant_id),
  ]);
  const answer = async (of: Tokens, query = '') => {
    const { status, headers, body } = await callFan(app, `/tickets${query}`, of.access_token);
    return { status, link: headers.get('link'), body };
  };
  const all = (await answer(first)).body as { tickets: { svc_event_id: string; tix_event_id: string }[] };
  const event = all.tickets.at(-1);
  const calls: [Tokens, string][] = [
    [first, ''],
    [second, ''],
    [revoked, ''],
    [first, '?limit=2'],
    [second, '?limit=1'],
    [first, `?event_id=${event?.svc_event_id}`],
    [first, `?event_id=${event?.tix_event_id}`],
    [second, '?event_id=nothing'],
    [first, '?cursor=foreign'],
  ];
  const alone = [];
  for (const [tokens, query] of calls) alone.push(await answer(tokens, query));
  expect(new Set(alone.map((each) => JSON.stringify(each))).size).toBe(calls.length - 1);
  const { pool } = app.runtime;
  const { query } = pool;
  let statements = 0;
  pool.query = (async (...values: unknown[]) => {
    statements++;
    // long enough for the other requests to arrive, also on a busy machine
    await setTimeout(50);
    return Reflect.apply(query, pool, values);
  }) as never;
  const together = await Promise.all([...calls, ...calls, ...calls].map(([tokens, given]) => answer(tokens, given)));
  pool.query = query;
  expect(together).toEqual([...alone, ...alone, ...alone]);
  expect(statements).toBeLessThan(together.length);
});

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
