import { beforeEach, describe, expect, it } from 'vitest';
import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import { callFan, postForm, refreshForm, signIn, type Tokens } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { testUser } from '../login/login-calls.ts';
import { type ListedApp, openPortal } from './portal-calls.ts';

/** A fan turns an app's action off, and on again. */
const app = await testApp({ env: { ACCESS_TOKEN_TTL: '600' } });
let portal: ReturnType<typeof openPortal>;
beforeEach(async () => {
  portal = await openPortal(app).signIn(testUser(app));
  await portal.get('apps.revokeAll');
});

const READ = 'fan:tickets:read';
const SELL = 'fan:listings:write';

const turn = (isOn: boolean, action: string, ...grants: Pick<Tokens, 'grant_id'>[]) =>
  portal.call(isOn ? 'apps.turnActionOn' : 'apps.turnActionOff', {
    grantIds: grants.map((tokens) => tokens.grant_id),
    action,
  });

async function refused(token: string, path = '/tickets', init?: RequestInit) {
  const { status, headers } = await callFan(app, path, token, init);
  return [status, headers.get('x-error-code')];
}

async function refresh({ refresh_token: token }: Pick<Tokens, 'refresh_token'>): Promise<Tokens> {
  const { status, body } = await postForm(app, '/oauth2/token', refreshForm(app, token));
  expect(status).toBe(200);
  return body as unknown as Tokens;
}

async function audited(grantId: string) {
  return app
    .context()
    .em.execute<{ actor: string; action: string; details: object }[]>(
      `select actor, action, details from audit_entry where subject = ? and action <> 'grant.given' order by id`,
      [grantId],
    );
}

async function actionsOf({ grant_id: id }: Pick<Tokens, 'grant_id'>): Promise<string[]> {
  return (await app.context().em.findOneOrFail(ConsentGrant, { id })).actions;
}

describe('an action that is turned off', () => {
  it('is refused from the next call on, under the token that still names it; the rest goes on', async () => {
    const tokens = await signIn(app);
    await turn(false, READ, tokens);
    // also where the query is wrong as well
    for (const path of ['/tickets', '/tickets?cursor=x']) {
      expect(await refused(tokens.access_token, path)).toEqual([401, 'action_not_granted']);
    }
    const body = JSON.stringify({ type: 'list', transactions: [] });
    const headers = { 'content-type': 'application/json' };
    const listing = await callFan(app, '/authorizations', tokens.access_token, { method: 'POST', headers, body });
    expect(listing.status).toBe(400);
    const userinfo = await fetch(`${app.config.authUrl}/oauth2/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect((await userinfo.json()).granted_actions).toEqual([SELL]);
    expect((await refresh(tokens)).granted_actions).toEqual([SELL]);
    const [card] = await portal.get<ListedApp[]>('apps.list');
    expect(card?.access[0]?.actions).toEqual([
      { name: READ, isOn: false },
      { name: SELL, isOn: true },
    ]);
  });

  it('of listings: nothing is signed any more', async () => {
    const tokens = await signIn(app);
    await turn(false, SELL, tokens);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect(await refused(tokens.access_token, '/authorizations', init)).toEqual([401, 'action_not_granted']);
  });

  it('is audited once, however often it is repeated', async () => {
    const tokens = await signIn(app);
    const answers = await Promise.all([1, 2, 3].map(() => turn(false, READ, tokens)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await audited(tokens.grant_id)).toEqual([
      { actor: `fan:${testUser(app).id}`, action: 'grant.narrowed', details: { actions: [READ] } },
    ]);
  });
});

describe('D-072: an action that is turned on again', () => {
  it('works at once under a token from before, after a refresh under a token from in between', async () => {
    const before = await signIn(app);
    await turn(false, READ, before);
    const between = await refresh(before);
    await turn(true, READ, before);
    expect((await callFan(app, '/tickets', before.access_token)).status).toBe(200);
    expect(await refused(between.access_token)).toEqual([401, 'action_not_granted']);
    const after = await refresh(between);
    expect(after.granted_actions).toEqual([READ, SELL]);
    expect((await callFan(app, '/tickets', after.access_token)).status).toBe(200);
  });

  it('is audited once, and stands where it stood in the consent', async () => {
    const tokens = await signIn(app);
    await turn(false, READ, tokens);
    const answers = await Promise.all([1, 2, 3].map(() => turn(true, READ, tokens)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await audited(tokens.grant_id)).slice(1)).toEqual([
      { actor: `fan:${testUser(app).id}`, action: 'grant.widened', details: { actions: [READ] } },
    ]);
    expect(await actionsOf(tokens)).toEqual([READ, SELL]);
  });

  it.each([
    ['asked for and refused at consent', SELL],
    ['never asked for', 'fan:claims:write'],
  ])('is none that was %s: nobody gets more than was consented to', async (_, action) => {
    const tokens = await signIn(app, { actions: [READ] });
    expect((await turn(true, action, tokens)).reason).toBe('invalid_selection');
    expect(await actionsOf(tokens)).toEqual([READ]);
    expect(await audited(tokens.grant_id)).toEqual([]);
  });

  it('of several sign-ins: only of those whose consent has it', async () => {
    const [both, one] = [await signIn(app), await signIn(app, { actions: [READ] })];
    await turn(false, SELL, both, one);
    expect((await turn(true, SELL, both, one)).status).toBe(200);
    expect([await actionsOf(both), await actionsOf(one)]).toEqual([[READ, SELL], [READ]]);
    expect(await audited(one.grant_id)).toEqual([]);
  });

  it('not where the access has ended; the other sign-ins named with it change', async () => {
    const [ended, alive] = [await signIn(app), await signIn(app)];
    await turn(false, READ, ended, alive);
    await postForm(app, '/oauth2/revoke', { client_id: app.kit.client_id, token: ended.refresh_token });
    expect((await turn(true, READ, ended, alive)).status).toBe(200);
    expect([await actionsOf(ended), await actionsOf(alive)]).toEqual([[SELL], [READ, SELL]]);
    expect((await turn(true, READ, ended)).reason).toBe('not_found');
  });
});

it('off and on at the same instant: the audit log ends with what counts', async () => {
  const tokens = await signIn(app);
  await Promise.all([0, 1, 2, 3, 4, 5].map((i) => turn(i % 2 === 0, READ, tokens)));
  const entries = (await audited(tokens.grant_id)).map(({ action }) => action);
  const expected = entries.map((_, index) => (index % 2 === 0 ? 'grant.narrowed' : 'grant.widened'));
  expect(entries).toEqual(expected);
  expect((await actionsOf(tokens)).includes(READ)).toBe(entries.at(-1) !== 'grant.narrowed');
});
