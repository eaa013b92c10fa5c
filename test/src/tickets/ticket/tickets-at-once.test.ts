import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { callFan, signIn, type Tokens } from '../../../support/partner.ts';
import { giveTicket } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';

const STATEMENT_MS = 50;
let first: Tokens;
let second: Tokens;
let revoked: Tokens;
const app = await testApp({ env: { ACCESS_TOKEN_TTL: '600' } });
beforeAll(async () => {
  const [one, other] = app.kit.test_users;
  if (!one || !other) throw new Error('the starter kit has two test users');
  for (let i = 0; i < 3; i++) await giveTicket(app, one, { mode: 'sandbox' });
  first = await signIn(app, one);
  second = await signIn(app, other);
  revoked = await signIn(app, one);
  await app
    .context()
    .em.execute('update consent_grant set revoked_at = now() where id = ?', [uuidOf('grant', revoked.grant_id)]);
});

const get = async (tokens: Tokens, query = '') => {
  const { status, headers, body } = await callFan(app, `/tickets${query}`, tokens.access_token);
  return { status, link: headers.get('link'), body };
};

describe('D-251: requests for tickets that share a statement', () => {
  it('get each the answer that they get alone: of their fan, filter, page and grant', async () => {
    const all = (await get(first)).body as { tickets: { svc_event_id: string; tix_event_id: string }[] };
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
    for (const [tokens, query] of calls) alone.push(await get(tokens, query));
    expect(new Set(alone.map((answer) => JSON.stringify(answer))).size).toBe(calls.length - 1);
    const { pool } = app.runtime;
    const { query } = pool;
    let statements = 0;
    pool.query = (async (...values: unknown[]) => {
      statements++;
      // long enough for the other requests to arrive, also on a busy machine
      await setTimeout(STATEMENT_MS);
      return Reflect.apply(query, pool, values);
    }) as never;
    const together = await Promise.all([...calls, ...calls, ...calls].map(([tokens, given]) => get(tokens, given)));
    pool.query = query;
    expect(together).toEqual([...alone, ...alone, ...alone]);
    expect(statements).toBeLessThan(together.length);
  });
});
