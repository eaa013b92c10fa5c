import { beforeAll, describe, expect, it } from 'vitest';
import { auditNames } from '../../../schema/audit-names.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { ServiceAccount } from '../../../src/entities/service-account.ts';
import { findServiceAccount } from '../../../src/staff/find-service-account.ts';
import { RIGHT_NAMES, requireRight, SERVICE_RIGHTS } from '../../../src/staff/rights.ts';
import {
  type AccountWish,
  createServiceAccount,
  disableServiceAccount,
  rotateServiceToken,
} from '../../../src/staff/service-accounts.ts';
import { freezeClock } from '../../support/freeze-clock.ts';
import { testApp } from '../../support/test-app.ts';

let clock: ReturnType<typeof freezeClock>;
const app = await testApp();
beforeAll(() => {
  clock = freezeClock(app);
});

const WISH: AccountWish = { name: 'Box office', scopes: ['inventory:write'], days: 30, callsPerMinute: 60 };
const create = (change: Partial<AccountWish> = {}) =>
  createServiceAccount(app.context(), { ...WISH, ...change }, 'staff:stf_test');
const rotate = (id: string, days = 30, overlapHours = 24) =>
  rotateServiceToken(app.context(), id, { days, overlapHours }, 'staff:stf_test');
const find = (value: string) => findServiceAccount(app.context(), value);

describe('a service account', () => {
  it('is the caller behind its token; the database and the record hold no value', async () => {
    const { account, token, value } = await create();
    expect(value).toMatch(/^sv_[\w-]{43}$/);
    expect(await find(value)).toEqual({
      id: account.id,
      name: 'Box office',
      role: 'admin',
      authenticatedAt: null,
      scopes: ['inventory:write'],
      tokenId: token.id,
      callsPerMinute: 60,
    });
    const rows = await app.context().em.execute<object[]>('select t::text as row from service_token t');
    const audit = await app.context().em.find(AuditEntry, { subject: account.id });
    expect(audit.map(({ action }) => action)).toEqual(['service_account.created']);
    expect(JSON.stringify([rows, audit])).not.toContain(value.slice(3));
  });

  it.each([
    ['no name', { name: ' ' }, 'name'],
    ['no right', { scopes: [] }, 'scopes'],
    ['an unknown right', { scopes: ['everything'] }, 'everything'],
    ['a right twice', { scopes: ['inventory:write', 'inventory:write'] }, 'duplicate'],
    ['no day', { days: 0 }, 'days'],
    ['more than a year', { days: 366 }, 'days'],
    ['no call', { callsPerMinute: 0 }, 'callsPerMinute'],
    ['calls without end', { callsPerMinute: 6_001 }, 'callsPerMinute'],
  ])('is refused with %s', async (_, change, named) => {
    await expect(create(change)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(named),
    });
  });

  it.each(RIGHT_NAMES.filter((name) => !SERVICE_RIGHTS.some((right) => right === name)))(
    'can’t be given %s',
    async (right) => {
      await expect(create({ scopes: [right] })).rejects.toMatchObject({ message: expect.stringContaining(right) });
    },
  );

  it('has no other right even where its row says so', async () => {
    const { account, value } = await create();
    await app.context().em.nativeUpdate(ServiceAccount, { id: account.id }, { scopes: [...RIGHT_NAMES] });
    const caller = await find(value);
    for (const right of RIGHT_NAMES) {
      const attempt = () => requireRight(caller, right, app.runtime.now());
      if (SERVICE_RIGHTS.some((each) => each === right)) expect(attempt()).toBe(caller);
      else expect(attempt).toThrow(expect.objectContaining({ code: 'forbidden' }));
    }
  });

  it('is named by the audit log', async () => {
    const { account } = await create({ name: 'Night import' });
    expect(await auditNames([`service:${account.id}`, account.id], app.context())).toEqual([
      'Night import',
      'Night import',
    ]);
  });

  it('is refused once its token has expired', async () => {
    const { value } = await create({ days: 1 });
    clock.pass(86_399);
    expect(await find(value)).toBeDefined();
    clock.pass(1);
    expect(await find(value)).toBeUndefined();
  });

  it('says when a token was last used, to the minute', async () => {
    const { token, value } = await create();
    const lastUsed = async () => (await app.context().em.refreshOrFail(token)).lastUsedAt;
    expect(await lastUsed()).toBeNull();
    await find(value);
    const first = app.runtime.now();
    clock.pass(59);
    await find(value);
    expect(await lastUsed()).toEqual(first);
    clock.pass(1);
    await find(value);
    expect(await lastUsed()).toEqual(app.runtime.now());
  });
});

describe('a rotation', () => {
  it('leaves two tokens valid until the overlap is over, and never three', async () => {
    const { account, value: first } = await create();
    const { value: second } = await rotate(account.id, 30, 24);
    expect([await find(first), await find(second)]).toEqual([expect.anything(), expect.anything()]);
    const { value: third } = await rotate(account.id, 30, 1);
    expect(await find(first)).toBeUndefined();
    expect([await find(second), await find(third)]).toEqual([expect.anything(), expect.anything()]);
    clock.pass(3_600);
    expect(await find(second)).toBeUndefined();
    expect(await find(third)).toBeDefined();
  });

  it('makes no token live longer', async () => {
    const { account, value } = await create({ days: 1 });
    await rotate(account.id, 30, 168);
    clock.pass(86_400);
    expect(await find(value)).toBeUndefined();
  });

  it('without an overlap ends the token before it at once', async () => {
    const { account, value } = await create();
    await rotate(account.id, 30, 0);
    expect(await find(value)).toBeUndefined();
  });

  it('twice at once leaves two tokens valid', async () => {
    const { account, value } = await create();
    const made = await Promise.all([rotate(account.id), rotate(account.id)]);
    const live = await Promise.all([value, ...made.map((each) => each.value)].map(find));
    expect(live.filter(Boolean)).toHaveLength(2);
    expect(live[0]).toBeUndefined();
  });

  it.each([
    ['days', 0, 24],
    ['overlapHours', 30, 169],
    ['overlapHours', 30, 0.5],
  ])('is refused with a wrong %s', async (named, days, overlapHours) => {
    const { account } = await create();
    await expect(rotate(account.id, days, overlapHours)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(named),
    });
  });
});

describe('disabling', () => {
  const disable = (id: string) => disableServiceAccount(app.context(), id, 'Leaked', 'staff:stf_test');

  it('refuses every token at once, and any new one', async () => {
    const { account, value } = await create();
    const { value: second } = await rotate(account.id);
    const outcomes = await Promise.allSettled([disable(account.id), disable(account.id)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect([await find(value), await find(second)]).toEqual([undefined, undefined]);
    await expect(rotate(account.id)).rejects.toMatchObject({ code: 'conflict' });
    const audit = await app.context().em.find(AuditEntry, { action: 'service_account.disabled', subject: account.id });
    expect(audit.map(({ details }) => details)).toEqual([{ name: 'Box office', reason: 'Leaked' }]);
  });

  it('of what does not exist is refused', async () => {
    await expect(disable('sva_x')).rejects.toMatchObject({ code: 'not_found' });
  });
});
