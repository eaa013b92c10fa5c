import { openOrm } from '../../../src/entities/orm.ts';
import { startProvider, type TestProvider } from '../../support/oidc-provider.ts';
import { authorize, callLogin } from '../../support/partner.ts';
import { enableProductionClient } from '../../support/production.ts';
import type { TestApp } from '../../support/start-app.ts';
import { startTwilioStandIn, type TwilioStandIn } from '../../support/twilio-stand-in.ts';
import type { Fault } from '../fault.ts';
import type { Stand } from '../stand/stand.ts';

/** Who sends codes, and who knows the staff: traffic of sandbox clients needs neither. */
let sms: TwilioStandIn | undefined;
let staff: TestProvider | undefined;
let client: { clientId: string; redirectUri: string } | undefined;
let numbers = 0;

export const PROVIDER_FAULTS: readonly Fault[] = [
  {
    name: 'the SMS provider gone, then silent',
    hits: 'nothing',
    ready: 'yes',
    holdMs: 14_000,
    stand: {
      entry: 'test/faults/stand/main-with-sms.ts',
      async beside() {
        const standIn = await startTwilioStandIn();
        sms = standIn;
        return { env: () => ({ SMS_URL: standIn.baseUrl }), close: () => standIn.stop() };
      },
    },
    async inject(stand) {
      client = await enableClient(stand);
      await expectSms(stand, 200);
      sms?.answerAlways({ hangUp: true });
      await expectSms(stand, 503);
      sms?.answerAlways({ silent: 'at once' });
    },
    pulse: { everyMs: 1_000, run: (stand) => expectSms(stand, 503) },
    async heal(stand) {
      sms?.answerAlways(undefined);
      await expectSms(stand, 200);
    },
  },
  {
    name: 'the staff’s identity provider gone, then silent',
    hits: 'nothing',
    ready: 'yes',
    holdMs: 14_000,
    stand: {
      async beside() {
        const provider = await startProvider();
        staff = provider;
        return { env: (origin) => provider.register(`${origin}/admin`), close: () => provider.stop() };
      },
    },
    async inject(stand) {
      // before anybody has signed in: what the provider says of itself is kept for later sign-ins
      if (staff) staff.outOfOrder = (request) => request.socket.destroy();
      await expectStaffSignIn(stand, 503);
      if (staff) staff.outOfOrder = () => {};
    },
    pulse: { everyMs: 1_000, run: (stand) => expectStaffSignIn(stand, 503) },
    async heal(stand) {
      if (staff) staff.outOfOrder = undefined;
      await expectStaffSignIn(stand, 302);
    },
  },
];

/** A fan of a production client asks for a code, and enters it where one came. */
async function expectSms(stand: Stand, expected: 200 | 503): Promise<void> {
  const app = appOf(stand);
  numbers += 1;
  const phone = `+4479111${String(numbers).padStart(5, '0')}`;
  const began = performance.now();
  const started = await authorize(app, { ...client, scope: 'openid' });
  const sent = await callLogin(app, started, 'phone.sendCode', { phone });
  note(stand, 'a code by SMS', { status: sent.status, expected, began, says: sent.error?.data.retryAfter });
  if (sent.status !== 200 || !sms) return;
  const checked = await callLogin(app, started, 'phone.verifyCode', { code: sms.codeFor(phone) });
  if (checked.status !== 200) stand.problems.push(`the code of an SMS: ${checked.status} ${checked.error?.message}`);
}

/** Somebody of the staff begins to sign in: 302 leads to the provider. */
async function expectStaffSignIn(stand: Stand, expected: 302 | 503): Promise<void> {
  const began = performance.now();
  const answer = await fetch(`${stand.kit.auth_url}/admin/auth/sign-in`, { redirect: 'manual' });
  await answer.text();
  const says = answer.headers.get('retry-after') ?? undefined;
  note(stand, 'staff sign-in', { status: answer.status, expected, began, says });
}

function note(
  stand: Stand,
  what: string,
  { status, expected, began, says }: { status: number; expected: number; began: number; says: unknown },
): void {
  const text = `${what}: ${status}`;
  if (!stand.notes.includes(text)) stand.notes.push(text);
  if (status !== expected) stand.problems.push(`${what}: ${status}, expected ${expected}`);
  if (status === 503 && says === undefined) stand.problems.push(`${what}: 503 that does not say when to come back`);
  if (performance.now() - began > 12_000) stand.problems.push(`${what}: answered after more than 12 s`);
}

/** As far as the functions of the tests' partner need it. */
function appOf({ kit }: Stand): TestApp {
  return { kit, config: { authUrl: kit.auth_url, loginUrl: kit.login_url } } as TestApp;
}

async function enableClient(stand: Stand): Promise<{ clientId: string; redirectUri: string }> {
  const orm = await openOrm(stand.postgres.url, 2, () => {});
  try {
    const context = { em: orm.em.fork(), now: () => new Date() };
    return await enableProductionClient({ ...appOf(stand), context: () => context } as unknown as TestApp);
  } finally {
    await orm.close();
  }
}
