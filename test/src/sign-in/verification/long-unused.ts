import { Fan } from '../../../../src/entities/fan.ts';
import { authorize, login, type Started } from '../../../support/partner.ts';
import { type enableProductionClient, giveTicket, type TicketPlan } from '../../../support/production.ts';
import type { TestApp } from '../../../support/start-app.ts';

/** Fans whose number may be another person's by now (D-073). */

export const DAY = 86_400;

export interface NumberOwner {
  app: TestApp;
  client: Awaited<ReturnType<typeof enableProductionClient>>;
  codeFor: (phone: string) => string;
}

/** Asks for a code for a number, and enters it. @returns the sign-in, and the step that it is at */
export async function proveNumber({ app, client, codeFor }: NumberOwner, phone: string) {
  const started: Started = await authorize(app, client);
  await login(app, started, 'phone.sendCode', { phone });
  const { step } = await login<{ step: string }>(app, started, 'phone.verifyCode', { code: codeFor(phone) });
  return { ...started, step };
}

/** A fan who proved the number, and then left it alone for 366 days; with a ticket for an event in a month. */
export async function longUnused(owner: NumberOwner, phone: string, plan: TicketPlan = {}): Promise<Fan> {
  // later than a code that the test may have asked for
  owner.app.advance(31);
  await proveNumber(owner, phone);
  owner.app.advance(366 * DAY);
  const fan = await fanOf(owner.app, phone);
  await giveTicket(owner.app, fan, plan);
  return fan;
}

/** Dates the fan's last proof of the number back, for a browser, whose clock can't be moved so far. */
export async function leaveAlone(app: TestApp, { id }: Pick<Fan, 'id'>): Promise<void> {
  const numberProvedAt = new Date(app.runtime.now().getTime() - 366 * DAY * 1000);
  await app.context().em.nativeUpdate(Fan, { id }, { numberProvedAt, numberVouchedAt: numberProvedAt });
}

export function fanOf(app: TestApp, phone: string): Promise<Fan> {
  return app.context().em.findOneOrFail(Fan, { mode: 'production', phone });
}
