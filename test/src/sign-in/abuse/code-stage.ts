import { AuthorizationSession } from '../../../../src/entities/authorization-session.ts';
import { Client } from '../../../../src/entities/client.ts';
import { PhoneChallenge } from '../../../../src/entities/phone-challenge.ts';
import { DomainError } from '../../../../src/platform/errors.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { newId } from '../../../../src/platform/identifier/type-id.ts';
import type { ServiceContext } from '../../../../src/runtime.ts';
import type { OpenSession } from '../../../../src/sign-in/authorization/find-session.ts';
import type { VerificationProvider } from '../../../../src/sign-in/verification/provider.ts';
import { ofSession } from '../../../support/phone-challenge.ts';
import type { TestApp } from '../../../support/start-app.ts';

/** What `test/abuse` acts with: live sessions by the hundred, and a provider that counts what it was asked to send. */
export interface Counted extends VerificationProvider {
  /** E.164, in the order in which codes went out. */
  sent: string[];
  /** How often it looked at a code. */
  checks: number;
}

/** Sends nothing; the right code is always 111111. */
export function countSent(...apps: TestApp[]): Counted {
  const provider: Counted = {
    name: 'counted',
    forProduction: true,
    sent: [],
    checks: 0,
    async send(phone) {
      provider.sent.push(phone);
      return phone;
    },
    async check(phone, reference, code) {
      provider.checks += 1;
      return reference === phone && code === RIGHT_CODE;
    },
  };
  for (const app of apps) app.runtime.verification = provider;
  return provider;
}

export const RIGHT_CODE = '111111';

/** Live authorization sessions of a client, as browsers of their own would have begun them. */
export async function openSessions(app: TestApp, clientId: string, count: number): Promise<OpenSession[]> {
  const { em, now } = app.context();
  const ids = Array.from({ length: count }, () => newId('sess'));
  await em.insertMany(
    AuthorizationSession,
    ids.map((id) => ({
      id,
      client: knownId('client', clientId),
      browserHash: 'b'.repeat(43),
      redirectUri: 'https://partner.example/callback',
      scope: 'openid',
      state: 'state',
      codeChallenge: 'c'.repeat(43),
      step: 'phone' as const,
      createdAt: now(),
      expiresAt: new Date(now().getTime() + 86_400_000),
    })),
  );
  const client = await em.findOneOrFail(Client, { id: knownId('client', clientId) });
  return ids.map((id) => ({ id, step: 'phone', wrongTries: 0, client }) as unknown as OpenSession);
}

export async function openSession(app: TestApp, clientId: string): Promise<OpenSession> {
  const [session] = await openSessions(app, clientId, 1);
  return session!;
}

/** Forgets every code that was asked for or sent, every stop, and the time that a test has let pass. */
export async function forgetCodes(app: TestApp): Promise<void> {
  app.resetClock();
  for (const table of ['rate_limit', 'code_budget', 'code_traffic', 'code_breaker', 'phone_challenge', 'kill_switch'])
    await app.context().em.execute(`delete from ${table}`);
}

/** The session as the next request finds it. */
export async function again(
  { em }: Pick<ServiceContext, 'em'>,
  { id }: OpenSession,
): Promise<OpenSession & { more: string | null }> {
  const session = await em.findOneOrFail(AuthorizationSession, { id }, { populate: ['client', 'client.partner'] });
  const found = await em.findOne(PhoneChallenge, ofSession(id), { refresh: true });
  const counts = { wrongTries: found?.wrongTries ?? 0, triesUnderWay: found?.triesUnderWay ?? 0 };
  return Object.assign(session, {
    ...counts,
    challenge: found?.phone ? found : null,
    more: null,
  }) as unknown as OpenSession & { more: string | null };
}

/** The code of a refusal, or undefined where there was none. @throws what is no refusal */
export async function refusalOf(work: Promise<unknown>): Promise<DomainError | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** What every counter of codes holds at the moment, by the counter's name; one that holds nothing is not there. */
export async function readCounts(app: TestApp): Promise<Record<string, number>> {
  const { em, now } = app.context();
  const rows = await em.execute<{ name: string; count: number }[]>(
    `select split_part(key, ':', 1) as name, sum(points)::int as count from rate_limit where expire > ? group by 1
     union all select 'budget', sum(sent)::int from code_budget
     union all select 'traffic', sum(sent)::int from code_traffic
     union all select 'trials ' || scope, trials from code_breaker`,
    [now().getTime()],
  );
  return Object.fromEntries(rows.filter(({ count }) => count).map(({ name, count }) => [name, count]));
}

/** The counts but for the one of addresses, which counts what is asked for instead of what is sent. */
export function withoutAddress({ 'code address': _, ...others }: Record<string, number>): Record<string, number> {
  return others;
}
