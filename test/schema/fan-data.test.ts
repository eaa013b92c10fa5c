import { beforeEach, describe, expect, it } from 'vitest';
import { Fan } from '../../src/entities/fan.ts';
import type { SignedInStaff } from '../../src/partners/rights.ts';
import { inviteStaff } from '../../src/people/staff/make-link.ts';
import type { StaffRole } from '../../src/platform/staff-role.ts';
import { registerFan } from '../../src/sign-in/fan/register-fan.ts';
import { deleteFan } from '../../src/sign-in/own-data/delete-fan.ts';
import { rows } from '../support/chain-app.ts';
import { newSession } from '../support/new-session.ts';
import { giveTicket } from '../support/production.ts';
import { askAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

/** D-146: one proposes a copy of a fan's data, or the deletion of the account, and another one decides. */
const app = await testApp();
const sue = await invited('support');
const ray = await invited('reviewer');
const ada = await invited('admin');
let fan: Fan;
let numbers = 7770100;

beforeEach(async () => {
  app.resetClock();
  for (const person of [sue, ray, ada]) person.authenticatedAt = app.runtime.now();
  fan = await registerFan(app.context(), 'production', `+1202${numbers++}`);
});

/** Staff whose sessions are taken: they came by a link, as the app says. */
async function invited(role: StaffRole): Promise<SignedInStaff> {
  const name = `Some ${role}`;
  const { staffId } = await inviteStaff(app.context(), { name, role }, 'staff:stf_test');
  return { id: staffId, name, email: null, role, authenticatedAt: app.runtime.now(), scopes: null };
}

const FIELDS = '__typename ... on Proposal { id state effects } ... on Refusal { code message }';
const propose = (what: 'Copy' | 'Deletion', as = sue, id: string = fan.id) =>
  askAs(app, as, `mutation { proposeFan${what}(fanId: "${id}", reason: "The fan wrote to us.") { ${FIELDS} } }`);
const approve = (id: string, as: SignedInStaff) =>
  askAs(app, as, `mutation { approveProposal(proposalId: "${id}", reason: "I called back.") { ${FIELDS} } }`);

const audited = (action: string) =>
  rows<{ actor: string; details: object }>(
    app,
    'select actor, details from audit_entry where action = $1 and subject = $2',
    [action, fan.id],
  );

async function download(file: string, as: SignedInStaff | undefined, headers: Record<string, string> = {}) {
  const cookie = as ? `fan_staff=${await newSession(app, as.id)}` : '';
  return fetch(`${app.config.adminUrl}/fan-copy/${file}`, { headers: { cookie, ...headers } });
}

describe('the deletion of an account', () => {
  it('is done once a second person approves, and on record with both', async () => {
    const { id, state } = await propose('Deletion');
    expect(state).toBe('PROPOSED');
    expect(await approve(id, sue)).toMatchObject({ code: 'forbidden' });
    expect(await approve(id, ray)).toMatchObject({ state: 'DONE' });
    expect(await app.context().em.findOneOrFail(Fan, fan.id)).toMatchObject({
      phone: null,
      deletedAt: expect.any(Date),
    });
    expect(await audited('fan.deleted')).toEqual([
      { actor: `staff:${ray.id}`, details: { by: 'support', proposal: id } },
    ]);
    expect(await askAs(app, sue, `{ fan(id: "${fan.id}") { phone deletedAt } }`)).toEqual({
      phone: 'No number',
      deletedAt: expect.anything(),
    });
  });

  it('is refused with what the fan holds, when it is proposed and when it is approved', async () => {
    const { id } = await propose('Deletion');
    await giveTicket(app, fan, { eventName: 'Night 5' });
    const refusal = { code: 'conflict', message: expect.stringContaining('Night 5') };
    expect(await approve(id, ray)).toMatchObject(refusal);
    const other = await registerFan(app.context(), 'production', `+1202${numbers++}`);
    await giveTicket(app, other, { eventName: 'Night 5' });
    expect(await propose('Deletion', sue, other.id)).toMatchObject(refusal);
    expect(await audited('fan.deleted')).toEqual([]);
  });

  it('is not proposed for a test user, nor twice for one who has left; nor is a new number', async () => {
    expect(await propose('Deletion', sue, app.kit.test_users[0]?.id)).toMatchObject({ code: 'conflict' });
    const by = { actor: `fan:${fan.id}`, details: { by: 'fan' } } as const;
    await app.context().em.transactional((em) => deleteFan({ ...app.context(), em }, fan.id, by));
    const left = { code: 'conflict', message: 'This fan has deleted the account.' };
    expect(await propose('Deletion')).toMatchObject(left);
    expect(await propose('Copy')).toMatchObject(left);
    await registerFan(app.context(), 'production', '+14045557777');
    await rows(app, `update fan set number_proved_at = now() where phone = '+14045557777'`);
    const change = `mutation { proposeNumberChange(fanId: "${fan.id}", phone: "+14045557777", reason: "New SIM.") { ${FIELDS} } }`;
    expect(await askAs(app, sue, change)).toMatchObject(left);
  });

  it('takes the masked number out of a proposal about it', async () => {
    await registerFan(app.context(), 'production', '+14045558888');
    await rows(app, `update fan set number_proved_at = now() where phone = '+14045558888'`);
    const change = `mutation { proposeNumberChange(fanId: "${fan.id}", phone: "+14045558888", reason: "New SIM.") { ${FIELDS} } }`;
    const { id } = await askAs(app, sue, change);
    await approve((await propose('Deletion')).id, ray);
    const { effects } = await askAs(app, sue, `{ proposal(id: "${id}") { effects } }`);
    expect(effects.join()).not.toMatch(/88|••/);
    expect(await approve(id, ray)).toMatchObject({ code: 'conflict' });
  });
});

describe('a copy', () => {
  it('can be downloaded by the two people once it is approved, each time on record', async () => {
    const { id } = await propose('Copy');
    expect((await download(`${id}.json`, sue)).status).toBe(409);
    expect(await approve(id, ray)).toMatchObject({ state: 'DONE' });
    const answer = await download(`${id}.json`, sue);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="fan-data-\d{4}-\d\d-\d\d\.json"$/,
    );
    expect(await answer.json()).toMatchObject({ fan: fan.id, account: [{ phone: fan.phone }], grants: [], told: [] });
    const page = await download(`${id}.html`, ray, { 'accept-language': 'de' });
    expect(await page.text()).toMatch(new RegExp(`Deine Daten.*${fan.phone?.replace('+', '\\+')}`, 's'));
    const by = { by: 'support', proposal: id };
    expect(await audited('fan.data_copied')).toEqual([
      { actor: `staff:${sue.id}`, details: by },
      { actor: `staff:${ray.id}`, details: by },
    ]);
  });

  it('is refused to everybody else, to other sites, for another proposal, and after seven days', async () => {
    const { id } = await propose('Copy');
    await approve(id, ray);
    const status = async (...call: Parameters<typeof download>) => (await download(...call)).status;
    expect(await status(`${id}.json`, ada)).toBe(403);
    expect(await status(`${id}.json`, undefined)).toBe(401);
    expect(await status(`${id}.json`, sue, { 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await status(`${id}.pdf`, sue)).toBe(404);
    expect(await status('prop_01jd0000000000000000000000.json', sue)).toBe(404);
    const other = await propose('Deletion');
    expect(await status(`${other.id}.json`, sue)).toBe(409);
    app.advance(7 * 86_400 + 1);
    expect(await status(`${id}.json`, sue)).toBe(409);
    expect(await audited('fan.data_copied')).toEqual([]);
  });
});
