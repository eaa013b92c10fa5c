import { beforeAll, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Staff, type StaffRole, StaffToken } from '../../../src/entities/staff.ts';
import { findStaffToken } from '../../../src/staff/find-staff-token.ts';
import { inviteStaff } from '../../../src/staff/make-link.ts';
import { requireRight, type SignedInStaff } from '../../../src/staff/rights.ts';
import { createStaffToken, revokeStaffToken, type TokenWish } from '../../../src/staff/staff-tokens.ts';
import { freezeClock } from '../../support/freeze-clock.ts';
import { testApp } from '../../support/test-app.ts';

let clock: ReturnType<typeof freezeClock>;
const app = await testApp();
beforeAll(async () => {
  clock = freezeClock(app);
});

const WISH: TokenWish = { name: 'nightly report', scopes: ['console:read', 'clients:write'], days: 30 };

async function signedIn(role: StaffRole): Promise<SignedInStaff> {
  const name = `${role} ${crypto.randomUUID()}`;
  const { staffId } = await inviteStaff(app.context(), { name, role }, 'staff:stf_test');
  return { id: staffId, name, email: null, role, authenticatedAt: app.runtime.now(), scopes: null };
}

describe('staff access tokens', () => {
  it('stand for their owner, limited to their scopes; the database holds no value', async () => {
    const owner = await signedIn('support');
    const { value, token } = await createStaffToken(app.context(), WISH, owner);
    expect(value).toMatch(/^st_[\w-]{43}$/);
    expect(await findStaffToken(app.context(), value)).toEqual({
      ...owner,
      authenticatedAt: null,
      scopes: WISH.scopes,
      tokenId: token.id,
    });
    const rows = await app.context().em.execute<{ row: string }[]>('select t::text as row from staff_token t');
    const audit = await app.context().em.find(AuditEntry, { action: 'staff_token.created' });
    expect(JSON.stringify([rows, audit])).not.toContain(value.slice(3));
  });

  it.each([
    ['no name', { name: ' ' }, 'name'],
    ['a name that can’t be stored', { name: 'a\0b' }, 'name'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['everything'] }, 'everything'],
    ['a scope above the role', { scopes: ['audit:read'] }, 'audit:read'],
    ['a scope that asks for a fresh sign-in', { scopes: ['tokens:write'] }, 'tokens:write'],
    ['a scope twice', { scopes: ['console:read', 'console:read'] }, 'duplicate'],
    ['no day', { days: 0 }, 'days'],
    ['more than a year', { days: 366 }, 'days'],
    ['half a day', { days: 0.5 }, 'days'],
  ])('are refused with %s', async (_, change, named) => {
    const refusal = createStaffToken(app.context(), { ...WISH, ...change }, await signedIn('support'));
    await expect(refusal).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining(named) });
  });

  it('make and revoke no tokens themselves', async () => {
    const owner = { ...(await signedIn('admin')), scopes: ['console:read'] };
    await expect(createStaffToken(app.context(), WISH, owner)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(revokeStaffToken(app.context(), 'stk_x', owner)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('expire', async () => {
    const { value } = await createStaffToken(app.context(), { ...WISH, days: 1 }, await signedIn('support'));
    clock.pass(86_399);
    expect(await findStaffToken(app.context(), value)).toBeDefined();
    clock.pass(1);
    expect(await findStaffToken(app.context(), value)).toBeUndefined();
  });

  it('are revoked once, by their owner or by an admin with a fresh sign-in, from the next use on', async () => {
    const owner = await signedIn('support');
    const { token, value } = await createStaffToken(app.context(), WISH, owner);
    const revokeAs = (staff: SignedInStaff) => revokeStaffToken(app.context(), token.id, staff);
    await expect(revokeAs(await signedIn('reviewer'))).rejects.toMatchObject({ code: 'forbidden' });
    const stale = { ...(await signedIn('admin')), authenticatedAt: null };
    await expect(revokeAs(stale)).rejects.toMatchObject({ code: 'fresh_sign_in_required' });
    expect(await findStaffToken(app.context(), value)).toBeDefined();
    const outcomes = await Promise.allSettled([revokeAs(owner), revokeAs(await signedIn('admin'))]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await findStaffToken(app.context(), value)).toBeUndefined();
    expect(await app.context().em.count(AuditEntry, { action: 'staff_token.revoked', subject: token.id })).toBe(1);
  });

  it('say when they were last used, to the minute', async () => {
    const { token, value } = await createStaffToken(app.context(), WISH, await signedIn('support'));
    const lastUsed = async () => (await app.context().em.findOneOrFail(StaffToken, { id: token.id })).lastUsedAt;
    expect(await lastUsed()).toBeNull();
    await findStaffToken(app.context(), value);
    const first = await lastUsed();
    expect(first).toEqual(app.runtime.now());
    clock.pass(59);
    await findStaffToken(app.context(), value);
    expect(await lastUsed()).toEqual(first);
    clock.pass(1);
    await findStaffToken(app.context(), value);
    expect(await lastUsed()).toEqual(app.runtime.now());
  });

  it.each<[string, Partial<Staff>]>([
    ['a disabled person', { disabledAt: new Date() }],
    ['the staff of another sign-in service', { issuer: 'https://id.example' }],
  ])('that are left over of %s stand for nobody', async (_, owner) => {
    const { token, value } = await createStaffToken(app.context(), WISH, await signedIn('support'));
    await app.context().em.nativeUpdate(Staff, { id: token.staff.id }, owner);
    expect(await findStaffToken(app.context(), value)).toBeUndefined();
  });

  it('lose what their owner’s role loses', async () => {
    const owner = await signedIn('reviewer');
    const { value } = await createStaffToken(app.context(), { ...WISH, scopes: ['audit:read'] }, owner);
    await app.context().em.nativeUpdate(Staff, { id: owner.id }, { role: 'support' });
    const caller = await findStaffToken(app.context(), value);
    expect(caller).toMatchObject({ role: 'support', scopes: ['audit:read'] });
    expect(() => requireRight(caller, 'audit:read', app.runtime.now())).toThrow('needs the role reviewer');
  });
});
