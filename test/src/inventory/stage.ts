import { applyRows } from '../../../src/inventory/apply-rows.ts';
import type { RowResult } from '../../../src/inventory/row-result.ts';
import { type AuthorizeChoice, callFan, type FanChoice, signIn, type Tokens } from '../../support/partner.ts';
import { enableProductionClient, readCodesFromLog } from '../../support/production.ts';
import type { TestApp } from '../../support/start-app.ts';

/** Any address: nothing is issued without a cluster. */
export const PRODUCTION_PROGRAM_ID = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
export const SOURCE = { actor: 'staff:test', requestId: 'req-inventory' };

export const eventRow = (reference: string, changes: object = {}) => ({
  kind: 'event',
  reference,
  name: `Event ${reference}`,
  venue: 'Hall',
  starts_at: '2030-05-01T18:00:00Z',
  ends_at: '2030-05-01T22:00:00Z',
  ...changes,
});

export const typeRow = (event: string, reference: string, changes: object = {}) => ({
  kind: 'ticket_type',
  event,
  reference,
  name: `Type ${reference}`,
  ...changes,
});

export const ticketRow = (event: string, type: string, reference: string, changes: object = {}) => ({
  kind: 'ticket',
  event,
  ticket_type: type,
  reference,
  holder_phone: '+12025550101',
  ...changes,
});

let made = 0;

/** Names of an event with one type that no other test uses, and their rows. */
export function newEvent(changes: object = {}) {
  made += 1;
  const event = `event-${made}`;
  const type = `type-${made}`;
  return { event, type, rows: [eventRow(event, changes), typeRow(event, type)] };
}

export function apply(app: TestApp, rows: readonly unknown[]): Promise<RowResult[]> {
  return applyRows(app.context(), rows, SOURCE);
}

/** Outcomes and reasons, in order. */
export async function outcomes(app: TestApp, rows: readonly unknown[]): Promise<string[]> {
  return (await apply(app, rows)).map(({ outcome, reason, field }) =>
    [outcome, reason, field].filter(Boolean).join(' '),
  );
}

/** Signs a production fan in through the pages' own calls, by the code that was sent. */
export async function signInProduction(
  app: TestApp,
  phone: string,
  choice: AuthorizeChoice & FanChoice = {},
): Promise<Tokens> {
  const codeFor = readCodesFromLog(app);
  const client = await enableProductionClient(app);
  return signIn(app, {
    ...client,
    ...choice,
    phone,
    get code() {
      return codeFor(phone);
    },
  });
}

/** Names of the events of the tickets that a token's fan sees. */
export async function ticketsSeen(app: TestApp, { access_token }: Tokens): Promise<string[]> {
  const { body } = await callFan(app, '/tickets', access_token);
  return (body as { tickets: { event_name: string }[] }).tickets.map(({ event_name }) => event_name);
}
