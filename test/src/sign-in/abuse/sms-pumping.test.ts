import { expect, it } from 'vitest';
import { readConfig } from '../../../../src/platform/config/read-config.ts';
import { checkCode } from '../../../../src/sign-in/verification/check-code.ts';
import { sendCode } from '../../../../src/sign-in/verification/send-code.ts';
import { enableProductionClient } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import { again, countSent, openSessions, RIGHT_CODE, refusalOf } from './code-stage.ts';

const app = await testApp({ codeLimits: readConfig({}).codeLimits });
const MINUTES = 60;
const CODES_PER_SESSION = 5;
const CODES_PER_MINUTE = 17;
const FANS_PER_MINUTE = 2;
/** Addresses of the botnet, half of them IPv6. */
const BOTS = 2_000;
/** Blocks of 10,000 numbers that the attacker has, by their first digits; four more follow. */
const BLOCKS = [
  ...Array.from({ length: 14 }, (_, i) => `+99450${321 + i}`),
  ...Array.from({ length: 13 }, (_, i) => `+3712${612 + i}`),
  ...Array.from({ length: 13 }, (_, i) => `+62812${3450 + i}`),
];
const FANS_AREAS = [212, 312, 415, 617];
/** Of a hundred fans who get a code, so many type it in. */
const FANS_WHO_TYPE = 85;

/**
 * SMS pumping: somebody rents blocks of numbers in a few countries, is paid for each message that arrives there, and has a
 * sign-in page send them. Here an attacker with a botnet asks for codes throughout an hour, from live sessions and for
 * valid numbers, each once, while fans of another country sign in to the same client. All limits are the default ones.
 */
it('of a thousand codes asked for in the manner of SMS pumping few are sent, and fans elsewhere get theirs', async () => {
  const attack = MINUTES * CODES_PER_MINUTE;
  // to the next noon, so that the hour lies in one day
  app.advance(86_400 + 43_200 - ((Date.now() / 1000) % 86_400));
  const provider = countSent(app);
  const { clientId } = await enableProductionClient(app);
  const attackers = await openSessions(app, clientId, attack / CODES_PER_SESSION);
  const fans = await openSessions(app, clientId, MINUTES * FANS_PER_MINUTE);
  let refused = 0;
  let fansServed = 0;

  async function pump(i: number): Promise<void> {
    const session = attackers[i % attackers.length]!;
    if (await refusalOf(sendCode(app.context(), session, attackersNumber(i), botsAddress(i)))) refused += 1;
  }
  async function signIn(i: number): Promise<void> {
    const session = fans[i]!;
    const phone = `+1${FANS_AREAS[i % 4]}${320 + Math.floor(i / 4)}0142`;
    if (await refusalOf(sendCode(app.context(), session, phone, `198.51.${100 + (i % 100)}.${i % 250}`))) return;
    fansServed += 1;
    if (i % 100 < FANS_WHO_TYPE) await checkCode(app.context(), await again(app.context(), session), RIGHT_CODE);
  }
  const atOnce = (minute: number, count: number, work: (i: number) => Promise<void>) =>
    Promise.all(Array.from({ length: count }, (_, i) => work(minute * count + i)));

  for (let minute = 0; minute < MINUTES; minute++) {
    await atOnce(minute, CODES_PER_MINUTE, pump);
    await atOnce(minute, FANS_PER_MINUTE, signIn);
    app.advance(60);
  }
  const sent = provider.sent.filter((phone) => !phone.startsWith('+1')).length;
  expect(sent + refused).toBe(attack);
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(300);
  expect(fansServed).toBe(fans.length);
}, 120_000);

/** Never the same number twice. */
function attackersNumber(i: number): string {
  return `${BLOCKS[i % BLOCKS.length]}${1000 + Math.floor(i / BLOCKS.length)}`;
}

function botsAddress(i: number): string {
  const bot = i % BOTS;
  const [high, low] = [bot >> 8, bot & 255];
  return bot % 2 === 0 ? `203.${high}.113.${low}` : `2001:db8:${high.toString(16)}:${low.toString(16)}::1`;
}
