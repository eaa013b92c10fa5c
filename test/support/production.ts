import { pino } from 'pino';
import { type Client, Client as ClientEntity } from '../../src/entities/client.ts';
import { Event } from '../../src/entities/event.ts';
import type { Fan } from '../../src/entities/fan.ts';
import { Partner } from '../../src/entities/partner.ts';
import { Permit } from '../../src/entities/permit.ts';
import { Ticket, TicketType } from '../../src/entities/ticket.ts';
import type { Mode } from '../../src/platform/mode.ts';
import { createLogProvider } from '../../src/sign-in/verification/choose-provider.ts';
import type { VerificationProvider } from '../../src/sign-in/verification/provider.ts';
import type { TestApp } from './start-app.ts';

/** Records that no function of the product makes yet, or not in this shape: written with the ORM. */

export const PRODUCTION_REDIRECT_URI = 'https://partner.example/callback';

/** An enabled production client of a new partner, with the redirect URI above, and what `authorize` needs to use it. */
export async function enableProductionClient(app: TestApp, changes: Partial<Pick<Client, 'scopes' | 'status'>> = {}) {
  const { em, now } = app.context();
  const partner = em.create(Partner, { name: `Production ${crypto.randomUUID()}`, createdAt: now() });
  const client = em.create(ClientEntity, {
    partner,
    name: 'Real Tickets',
    mode: 'production',
    status: 'enabled',
    redirectUris: [PRODUCTION_REDIRECT_URI],
    corsOrigins: ['https://partner.example'],
    scopes: app.kit.scopes,
    createdAt: now(),
    updatedAt: now(),
    ...changes,
  });
  await em.flush();
  return { clientId: client.id, redirectUri: PRODUCTION_REDIRECT_URI, partner };
}

export interface TicketPlan {
  mode?: Mode;
  eventName?: string;
  startsAt?: Date;
  endsAt?: Date;
  /** IANA name; UTC if omitted. */
  timeZone?: string;
  /** Whom the permit makes the ticket visible to; undefined: to every partner. */
  partner?: Partner;
}

let made = 0;

/** A ticket of an event of its own (in a month, three hours long) with a permit; in production unless the plan says else. */
export async function giveTicket(app: TestApp, fan: Pick<Fan, 'id'>, plan: TicketPlan = {}) {
  const { em, now } = app.context();
  made += 1;
  const startsAt = plan.startsAt ?? new Date(now().getTime() + 30 * 86_400_000);
  const event = em.create(Event, {
    mode: plan.mode ?? 'production',
    name: plan.eventName ?? `Event ${made}`,
    venue: null,
    startsAt,
    endsAt: plan.endsAt ?? new Date(startsAt.getTime() + 3 * 3_600_000),
    timeZone: plan.timeZone ?? 'UTC',
    tixEventId: `onchainEvent${made}`,
    createdAt: now(),
  });
  const ticketType = em.create(TicketType, { event, name: 'Standing' });
  const ticket = em.create(Ticket, {
    ticketType,
    owner: fan.id,
    tixTicketId: `onchainTicket${made}`,
    purchasedAt: new Date('2026-01-02T03:04:05.678Z'),
  });
  const permit = em.create(Permit, {
    ticket,
    partner: plan.partner?.id ?? null,
    tixPermitId: `onchainPermit${made}`,
    createdAt: now(),
  });
  await em.flush();
  return { event, ticketType, ticket, permit };
}

/** A provider that no test expected to be asked. */
export const UNEXPECTED_PROVIDER: VerificationProvider = {
  name: 'unexpected',
  forProduction: true,
  send: () => Promise.reject(new Error('the verification provider was asked to send')),
  check: () => Promise.reject(new Error('the verification provider was asked to check')),
};

/** Lets the app send codes by the log provider. @returns reads the last code that the log shows for a number */
export function readCodesFromLog(app: TestApp): (phone: string) => string {
  const codes = new Map<string, string>();
  const log = pino({
    hooks: {
      logMethod([fields]) {
        const { phone, code } = fields as unknown as { phone: string; code: string };
        codes.set(phone, code);
      },
    },
  });
  app.runtime.verification = createLogProvider({ log, secrets: app.runtime.secrets });
  return (phone) => {
    const code = codes.get(phone);
    if (code === undefined) throw new Error(`no code was sent to ${phone}`);
    return code;
  };
}
