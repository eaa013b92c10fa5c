import { pino } from 'pino';
import { openOrm, poolOf } from '../../../src/entities/orm.ts';
import { idOf, type Uuid } from '../../../src/platform/identifier/type-id.ts';
import { sealAudit } from '../../../src/record/audit/seal-audit.ts';
import { verifyAudit } from '../../../src/record/audit/verify-audit.ts';
import type { Postgres } from '../../support/postgres.ts';
import { createCaller } from '../drive/caller.ts';
import { formPost, refresh, refreshForm } from '../drive/fan.ts';
import { emptyLedger, type Ledger, type Session } from '../drive/ledger.ts';
import type { Traffic } from '../drive/traffic.ts';
import type { Service } from '../stand/stand.ts';

const REPLAYED = 5;
const REFRESHED = 40;
const WITHIN_MS = 30_000;

/** Compares what partners were told of grants, codes and refresh tokens with the database. @returns what must not be */
export async function judgeGrants(ledger: Ledger, postgres: Postgres): Promise<string[]> {
  const grants = await postgres.run<{ id: Uuid; revoked_reason: string | null; codes: number; families: number }>(
    `select g.id, g.revoked_reason,
       (select count(*)::int from authorization_code where grant_id = g.id) as codes,
       (select count(*)::int from refresh_token_family where grant_id = g.id and revoked_at is null) as families
     from consent_grant g`,
  );
  const given = await postgres.run<{ subject: string; times: number }>(
    `select subject, count(*)::int as times from audit_entry where action = 'grant.given' group by subject`,
  );
  const audited = new Map(given.map(({ subject, times }) => [subject, times]));
  const stored = new Map(grants.map((grant) => [String(idOf('grant', grant.id)), grant]));
  return problemsOf({
    'grants lost: told, but not stored': ledger.sessions.map(({ grantId }) => grantId).filter((id) => !stored.has(id)),
    'grants ended for what we caused': grants.flatMap(({ revoked_reason: reason }) => reason ?? []),
    'sessions lost': ledger.sessions.flatMap(({ lost }) => lost ?? []),
    'sign-ins lost': ledger.lostSignIns,
    'grants with another number of codes than one': grants.map(({ codes }) => codes).filter((codes) => codes !== 1),
    'codes exchanged twice': grants.map(({ families }) => families).filter((families) => families > 1),
    'grants not audited once': [...stored.keys()].map((id) => audited.get(id) ?? 0).filter((times) => times !== 1),
  });
}

/** Uses what partners hold, and presents again what is spent; after this the grants of the latter are gone. */
export async function judgeTokens(traffic: Traffic, services: readonly Service[]): Promise<string[]> {
  const caller = createCaller(
    emptyLedger(),
    services.map(({ port }) => port),
    new AbortController().signal,
    AbortSignal.timeout(WITHIN_MS),
  );
  const live = traffic.ledger.sessions.filter(({ lost }) => lost === undefined).slice(-REFRESHED);
  const spent = new Map<Session, string>();
  for (const session of live) {
    spent.set(session, session.refreshToken);
    await refresh(caller, session, traffic.plan);
  }
  const accepted: string[] = [];
  const [forCodes, forTokens] = [live.slice(0, REPLAYED), live.slice(REPLAYED, 2 * REPLAYED)];
  for (const { codeForm } of forCodes) {
    const answer = await caller.insist('exchange', '/oauth2/token', formPost(codeForm));
    if (answer.status === 200) accepted.push('a code');
  }
  for (const session of forTokens) {
    const form = refreshForm({ ...session, refreshToken: spent.get(session) ?? '' }, traffic.plan);
    const answer = await caller.insist('refresh', '/oauth2/token', formPost(form));
    if (answer.status === 200) accepted.push('a refresh token');
  }
  return problemsOf({
    'grants that no longer work': live.flatMap(({ lost }) => lost ?? []),
    'values accepted twice': accepted,
  });
}

/** Seals what waits, and recomputes the chain of the audit log. */
export async function judgeAudit(postgres: Postgres): Promise<string[]> {
  const orm = await openOrm(postgres.url, 2, () => {});
  try {
    const context = {
      em: orm.em.fork(),
      pool: await poolOf(orm),
      now: () => new Date(),
      log: pino({ level: 'silent' }),
    };
    while ((await sealAudit(context)) > 0);
    const report = await verifyAudit(context);
    if (report.broken) return [`the audit log is broken at ${report.broken.position}: ${report.broken.reason}`];
    return report.checked > 0 ? [] : ['the audit log is empty'];
  } finally {
    await orm.close();
  }
}

/** Things of one kind as one problem: how many, and what is said of them. @param found things by their kind */
export function problemsOf(found: Readonly<Record<string, readonly (string | number)[]>>): string[] {
  return Object.entries(found).flatMap(([kind, things]) => {
    const texts = [...new Set(things)].slice(0, 4);
    return things.length === 0 ? [] : [`${things.length} × ${kind}: ${texts.join('; ')}`];
  });
}
