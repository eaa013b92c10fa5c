import { expect, it } from 'vitest';
import { pumpSms } from '../src/abuse/pump-sms.ts';

it('of 10,000 codes asked for in the manner of SMS pumping few are sent, and fans elsewhere get theirs', async () => {
  const { sent, refused, fans, fansServed } = await pumpSms(10_000);
  console.log(`10,000 codes asked for by an attacker: ${sent} sent; refused: ${JSON.stringify(refused)}`);
  console.log(`${fans} fans of another country: ${fansServed} got their code`);
  expect(sent + Object.values(refused).reduce((sum, count) => sum + count, 0)).toBe(10_000);
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(600);
  expect(fansServed).toBe(fans);
});
