import { describe, expect, it } from 'vitest';
import { Fan } from '../../../src/entities/fan.ts';
import { freeTestPhones } from '../../../src/sandbox/test-phone.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

describe('test phone numbers', () => {
  it('are not given out twice within one unit of work', async () => {
    const { em, now } = app.context();
    const phones = await freeTestPhones(em, 150);
    for (const phone of phones) em.create(Fan, { mode: 'sandbox', phone, createdAt: now() });
    const more = await freeTestPhones(em, 150);
    expect(more.filter((phone) => phones.includes(phone))).toEqual([]);
  });

  it('go on to the last of 26,000, are found wherever they are left, and then are refused', async () => {
    const { em } = app.context();
    const left = await freeTestPhones(em, 1_000);
    expect(new Set(left).size).toBe(1_000);
    await em.execute(`insert into fan (id, mode, phone, created_at)
      select gen_random_uuid(), 'sandbox', '+1' || area || '55501' || lpad(line::text, 2, '0'), now()
      from generate_series(200, 999) area, generate_series(0, 99) line on conflict do nothing`);
    const [last] = left;
    await expect(freeTestPhones(em, 1)).rejects.toMatchObject({ code: 'unavailable' });
    await em.execute(`delete from fan where phone = ?`, [last]);
    expect(await freeTestPhones(app.context().em, 1)).toEqual([last]);
    expect(await em.count(Fan)).toBeGreaterThan(26_000);
  });
});
