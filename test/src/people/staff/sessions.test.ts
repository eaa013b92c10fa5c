import { afterEach, describe, expect, it } from 'vitest';
import { AccountSession } from '../../../../src/entities/account.ts';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { purge } from '../../../../src/entities/retention.ts';
import { Staff } from '../../../../src/entities/staff.ts';
import { findMemberSession, findSession } from '../../../../src/people/account/find-session.ts';
import { endOwnSession, listOwnSessions } from '../../../../src/people/account/sessions.ts';
import { findLocalAdmin, inviteStaff, makeLink } from '../../../../src/people/staff/make-link.ts';
import { endStaffSessions, setStaffRole } from '../../../../src/people/staff/manage-staff.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { freezeClock } from '../../../support/freeze-clock.ts';
import { newMember } from '../../../support/member-call.ts';
import { newSession } from '../../../support/new-session.ts';
import { refused } from '../../../support/refused.ts';
import { newStaff } from '../../../support/staff-call.ts';
import { testApp } from '../../../support/test-app.ts';
import { kitPartner } from '../../../support/workspace.ts';

const app = await testApp();
const clock = freezeClock(app);
afterEach(() => app.resetClock());

const MINUTE = 60;

function adminOf() {
  return findLocalAdmin(app.context());
}

function providerAt(issuer: string) {
  const roleGroups = { support: [], reviewer: [], admin: ['boss'] };
  return { issuer, clientId: 'x', clientSecret: undefined, groupsClaim: 'groups', roleGroups };
}

describe('sessions of staff are server-side', () => {
  it('the database holds no secret that opens one', async () => {
    const secret = await newSession(app);
    const rows = await app.context().em.execute<{ row: string }[]>('select s::text as row from account_session s');
    expect(rows.map(({ row }) => row).join()).not.toContain(secret.slice(3));
  });

  it.each([
    { audience: 'staff', idle: 30 },
    { audience: 'member', idle: 120 },
  ] as const)(
    'of $audience ends after $idle minutes without use, and use keeps it alive for 12 hours',
    async ({ audience, idle }) => {
      const find = audience === 'staff' ? findSession : findMemberSession;
      const account =
        audience === 'staff' ? (await adminOf()).id : (await newMember(app, (await kitPartner(app)).id)).id;
      const begin = () => newSession(app, account);
      const left = await begin();
      clock.pass(idle * MINUTE - 1);
      expect(await find(app.context(), left)).toBeDefined();
      clock.pass(idle * MINUTE);
      expect(await find(app.context(), left)).toBeUndefined();
      // nor does that call count as use
      expect(await find(app.context(), left)).toBeUndefined();
      const used = await begin();
      for (let minutes = 20; minutes < 12 * 60; minutes += 20) {
        clock.pass(20 * MINUTE);
        await find(app.context(), used);
      }
      clock.pass(20 * MINUTE - 1);
      expect(await find(app.context(), used)).toBeDefined();
      clock.pass(1);
      expect(await find(app.context(), used)).toBeUndefined();
    },
  );

  it('the last use is written down at most once a minute', async () => {
    const secret = await newSession(app);
    const seen = async () => (await listOwnSessions(app.context(), await adminOf())).map((each) => each.lastSeenAt);
    const [begun] = await seen();
    clock.pass(59);
    await findSession(app.context(), secret);
    expect((await seen())[0]).toEqual(begun);
    clock.pass(1);
    await findSession(app.context(), secret);
    expect((await seen())[0]).toEqual(app.runtime.now());
  });

  it('the device is written down with the last use, and straight away when it is another one', async () => {
    const secret = await newSession(app);
    const device = { address: '203.0.113.7', userAgent: 'Mozilla/5.0 Firefox/133.0', timeZone: 'Europe/Berlin' };
    const stored = async () => (await listOwnSessions(app.context(), await adminOf()))[0];
    await findSession(app.context(), secret, device);
    const seen = { address: '203.0.113.7', browser: 'Firefox 133', timeZone: 'Europe/Berlin', network: undefined };
    expect(await stored()).toMatchObject(seen);
    await findSession(app.context(), secret, { ...device, address: '127.0.0.1', timeZone: null });
    expect(await stored()).toMatchObject({ ...seen, address: '127.0.0.1', network: 'this machine' });
    const before = (await stored())?.lastSeenAt;
    clock.pass(30);
    await findSession(app.context(), secret, { ...device, address: '127.0.0.1' });
    expect((await stored())?.lastSeenAt).toEqual(before);
  });

  it('is found in one round trip', async () => {
    const secret = await newSession(app);
    const { result, statements } = await countStatements(() => findSession(app.context(), secret));
    expect(result).toBeDefined();
    expect(statements).toHaveLength(1);
  });

  it('its owner can end it from another browser, nobody else', async () => {
    clock.pass(1);
    const secret = await newSession(app);
    const admin = await findSession(app.context(), secret);
    if (!admin) throw new Error('signed in');
    await newSession(app);
    const listed = await listOwnSessions(app.context(), admin);
    const [id = '', ...others] = listed.filter(({ isCurrent }) => isCurrent).map((each) => each.id);
    expect([id, others]).toEqual([admin.sessionId, []]);
    const other = { ...admin, id: knownId('stf', 'stf_00000000000000000000000000') };
    await expect(endOwnSession(app.context(), id, other)).rejects.toMatchObject({ code: 'not_found' });
    await expect(endOwnSession(app.context(), id, { ...admin, scopes: ['console:read'] })).rejects.toEqual(
      refused('forbidden'),
    );
    await endOwnSession(app.context(), id, admin);
    expect(await findSession(app.context(), secret)).toBeUndefined();
  });

  it('one that is left over of a disabled person opens nothing', async () => {
    const person = await newStaff(app);
    const context = app.context();
    const secret = await newSession(app, person.id);
    const config = { ...app.config, staffProvider: providerAt('https://staff.example') };
    expect(await findSession({ ...context, config }, secret)).toBeDefined();
    await context.em.nativeUpdate(Staff, { id: person.id }, { disabledAt: context.now() });
    expect(await findSession({ ...context, config }, secret)).toBeUndefined();
  });

  it('after a change of the sign-in service the sessions of the former one are void', async () => {
    const secret = await newSession(app);
    const config = { ...app.config, staffProvider: providerAt('https://id.example') };
    expect(await findSession({ ...app.context(), config }, secret)).toBeUndefined();
    expect(await findSession(app.context(), secret)).toBeDefined();
  });

  it('the job deletes sessions that are over', async () => {
    await newSession(app);
    clock.pass(12 * 60 * MINUTE + 1);
    const live = await newSession(app);
    await purge(app.context());
    expect(await app.context().em.count(AccountSession, {})).toBe(1);
    expect(await findSession(app.context(), live)).toBeDefined();
  });
});

describe('an admin', () => {
  const links = async (name: string, role: 'support' | 'admin' = 'support') => {
    const { staffId } = await inviteStaff(app.context(), { name, role }, 'system');
    return { id: staffId, secret: await newSession(app, staffId) };
  };
  const change = (staffId: string, role: 'support' | 'reviewer', actor: string, reason = 'New duties') =>
    setStaffRole(app.context(), { staffId, role, reason }, actor);

  it('changes the role of somebody who signs in with links: from the next call on, in an audit entry with the reason', async () => {
    const { id, secret } = await links('Rita');
    await change(id, 'reviewer', 'staff:stf_admin');
    await change(id, 'reviewer', 'staff:stf_admin');
    expect(await findSession(app.context(), secret)).toMatchObject({ role: 'reviewer' });
    const entries = await app.context().em.find(AuditEntry, { action: 'staff.role_changed', subject: id });
    expect(entries.map(({ actor, details }) => ({ actor, details }))).toEqual([
      { actor: 'staff:stf_admin', details: { from: 'support', to: 'reviewer', reason: 'New duties' } },
    ]);
  });

  it('changes neither their own role, nor that of the local admin, nor one that groups decide', async () => {
    const { id } = await links('Own', 'admin');
    const conflict = (message: string) => refused('conflict', message);
    await expect(change(id, 'support', `staff:${id}`)).rejects.toEqual(conflict('your own role'));
    const { id: local } = await findLocalAdmin(app.context());
    await expect(change(local, 'support', `staff:${id}`)).rejects.toEqual(conflict('local admin'));
    const { id: provided } = await newStaff(app, 'admin');
    await expect(change(provided, 'support', `staff:${id}`)).rejects.toEqual(conflict('groups'));
    await expect(change(provided, 'support', `staff:${id}`, ' ')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('ends every session of a person, of nobody else, and the person can sign in again', async () => {
    const [gone, other] = [await links('Gone'), await links('Stays')];
    await endStaffSessions(app.context(), gone.id, 'Lost the laptop', 'staff:stf_admin');
    expect(await findSession(app.context(), gone.secret)).toBeUndefined();
    expect(await findSession(app.context(), other.secret)).toBeDefined();
    const ended = { action: 'staff.sessions_ended', subject: gone.id };
    expect((await app.context().em.findOneOrFail(AuditEntry, ended)).details).toEqual({
      sessions: 1,
      reason: 'Lost the laptop',
    });
    const { url } = await makeLink(app.context(), gone.id, 'staff:stf_admin');
    expect(url).toContain('/auth/link');
  });
});
