import { expect, it } from 'vitest';
import { pumpSms } from './pump-sms.ts';

it('of a thousand codes asked for in the manner of SMS pumping few are sent, and fans elsewhere get theirs', async () => {
  const { sent, refused, fans, fansServed } = await pumpSms(1000, 2);
  expect(sent + Object.values(refused).reduce((sum, count) => sum + count, 0)).toBe(1000);
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(300);
  expect(fansServed).toBe(fans);
}, 120_000);
