import { expect, it } from 'vitest';
import { pumpSms } from './pump-sms.ts';

it('of four hundred codes asked for in the manner of SMS pumping few are sent, and fans elsewhere get theirs', async () => {
  const { sent, refused, fans, fansServed } = await pumpSms(400, 2);
  expect(sent + Object.values(refused).reduce((sum, count) => sum + count, 0)).toBe(400);
  console.log('SENT', sent, refused);
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(300);
  expect(fansServed).toBe(fans);
});
