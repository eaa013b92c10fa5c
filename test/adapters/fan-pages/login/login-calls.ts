import { expect } from 'vitest';
import { authorize, callLogin, consent, login, type Started, verifyPhone } from '../../../support/partner.ts';
import type { TestApp } from '../../../support/start-app.ts';

/** Expects a login call to be refused, in the shape that the page reads. @returns the error */
export async function expectRefused(
  app: TestApp,
  session: Pick<Started, 'cookie' | 'sessionId'>,
  procedure: string,
  input: object | undefined,
  reason: string,
) {
  const { status, data, error } = await callLogin(app, session, procedure, input);
  expect(data).toBeUndefined();
  expect(error?.data.reason).toBe(reason);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(error?.message).toMatch(/\S{3,} \S+/);
  expect(JSON.stringify(error)).not.toMatch(/stack|\.ts:|node_modules|\bat .*\(/);
  return { status, error };
}

/** The starter kit's test user number `index`; the first holds four tickets. */
export function testUser(app: TestApp, index = 0) {
  const user = app.kit.test_users[index];
  if (!user) throw new Error(`the starter kit has no test user ${index}`);
  return user;
}

/** A code that is not the given one. */
export function otherThan(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

export type Step = 'phone' | 'code' | 'consent' | 'done';

/** A session that the first test user brought to a step. */
export async function sessionAt(app: TestApp, step: Step): Promise<Started> {
  const started = await authorize(app);
  if (step === 'code') await login(app, started, 'phone.sendCode', { phone: testUser(app).phone });
  if (step === 'consent' || step === 'done') await verifyPhone(app, started);
  if (step === 'done') await consent(app, started);
  return started;
}

/** A session whose fan has verified the phone and stands before consent. */
export async function verified(app: TestApp, choice: Parameters<typeof authorize>[1] = {}): Promise<Started> {
  const started = await authorize(app, choice);
  await verifyPhone(app, started);
  return started;
}
