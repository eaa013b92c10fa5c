import { beforeEach, describe, expect, it } from 'vitest';
import { AccountLink, AccountSession, type Audience, ProviderSignIn } from '../../../../src/entities/account.ts';
import { Partner } from '../../../../src/entities/partner.ts';
import { PartnerMember } from '../../../../src/entities/partner-member.ts';
import { LOCAL_ISSUER, Staff } from '../../../../src/entities/staff.ts';
import { type AccountId, rowsOf } from '../../../../src/people/account/account.ts';
import { endAccess } from '../../../../src/people/account/end-access.ts';
import { findMemberSession, findSession } from '../../../../src/people/account/find-session.ts';
import {
  addLink,
  endInvitations,
  hasLiveInvitation,
  invitationExpiries,
} from '../../../../src/people/account/links.ts';
import { finishProviderSignIn, type SignInRules } from '../../../../src/people/account/provider-sign-in.ts';
import {
  endBrowserSession,
  endOwnSession,
  endSessions,
  listOwnSessions,
} from '../../../../src/people/account/sessions.ts';
import { confirmSession } from '../../../../src/people/staff/confirm-session.ts';
import { lookAtLink, useLink } from '../../../../src/people/staff/use-link.ts';
import { reinviteMember } from '../../../../src/people/workspace/invite-member.ts';
import { lookAtMemberLink, spendMemberLink } from '../../../../src/people/workspace/spend-link.ts';
import { hashOf } from '../../../../src/platform/identifier/secret-value.ts';
import { type Id, idOf, newId, uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { newSession } from '../../../support/new-session.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();

/** Of a member of staff and of a member of a partner with the same `uuid`, so that only the audience is between them. */
let accounts: { staff: Id<'stf'>; member: Id<'mem'> };
let secrets: Record<Audience, string>;

beforeEach(async () => {
  const context = app.context();
  const { em, now } = context;
  const uuid = uuidOf('stf', newId('stf'));
  accounts = { staff: idOf('stf', uuid), member: idOf('mem', uuid) };
  const email = `${uuid}@partner.example`;
  const local = { issuer: LOCAL_ISSUER, subject: uuid, role: 'admin', createdAt: now() } as const;
  em.create(Staff, { id: accounts.staff, name: NAMES.staff, ...local });
  const invited = { invitedBy: 'system', invitedAt: now(), joinedAt: now() };
  const partner = em.create(Partner, { name: uuid, createdAt: now() });
  em.create(PartnerMember, { id: accounts.member, partner, name: NAMES.member, email, ...invited });
  await em.flush();
  secrets = { staff: await newSession(app, accounts.staff), member: await newSession(app, accounts.member) };
});

async function newLink(account: AccountId, kind: AccountLink['kind'] = 'sign_in'): Promise<string> {
  const context = app.context();
  const { secret } = addLink(context, account, kind);
  await context.em.flush();
  return secret;
}

/** How many of each are left. */
async function left(audience: Audience): Promise<{ sessions: number; links: number }> {
  const { em } = app.context();
  const rows = rowsOf(accounts[audience]);
  return { sessions: await em.count(AccountSession, rows), links: await em.count(AccountLink, rows) };
}

const NAMES = { staff: 'Ada', member: 'Mia' };
const REFUSED = { code: 'invalid_request' };
const DEVICE = { address: '192.0.2.9', userAgent: 'Mozilla/5.0 Chrome/131.0', timeZone: null };
const EACH = [
  { audience: 'staff', other: 'member' },
  { audience: 'member', other: 'staff' },
] as const;

describe.each(EACH)('nothing of $audience reaches $other', ({ audience, other }) => {
  it('a session opens nothing, and is not kept alive there', async () => {
    const find = { staff: findSession, member: findMemberSession };
    const email = { staff: null, member: `${rowsOf(accounts.member).accountId}@partner.example` };
    const person = { id: accounts[audience], name: NAMES[audience], email: email[audience] };
    expect(await find[audience](app.context(), secrets[audience])).toMatchObject(person);
    const stored = async () => {
      const { em } = app.context();
      return (await em.findOneOrFail(AccountSession, { secretHash: hashOf(secrets[audience]) })).lastSeenAt;
    };
    const before = await stored();
    app.advance(120);
    expect(await find[other](app.context(), secrets[audience], DEVICE)).toBeUndefined();
    expect(await stored()).toEqual(before);
    app.resetClock();
  });

  it('neither a new session nor a sign-out there ends one', async () => {
    await newSession(app, accounts[other], secrets[audience]);
    expect(await endBrowserSession(app.context(), other, secrets[audience])).toBeUndefined();
    expect(await left(audience)).toMatchObject({ sessions: 1 });
  });

  it('its sessions are not listed, and can’t be ended', async () => {
    const owner = { id: accounts[other] };
    const [session, ...more] = await listOwnSessions(app.context(), { id: accounts[audience] });
    expect(more).toEqual([]);
    expect(await listOwnSessions(app.context(), owner)).not.toContainEqual(session);
    const end = endOwnSession(app.context(), session?.id ?? '', owner);
    await expect(end).rejects.toMatchObject({ code: 'not_found' });
  });

  it('the end of all sessions, and of all access, leaves sessions and links', async () => {
    await newLink(accounts[audience]);
    for (const end of [endSessions, endAccess]) {
      await newLink(accounts[other]);
      await newSession(app, accounts[other]);
      await end(app.context(), accounts[other]);
      expect(await left(other)).toEqual({ sessions: 0, links: 0 });
      expect(await left(audience)).toEqual({ sessions: 1, links: 1 });
    }
  });

  it('a link shows and signs in nobody', async () => {
    const secret = await newLink(accounts[audience]);
    const opened = { secret, browserSecret: undefined };
    const uses = {
      staff: [() => lookAtLink(app.context(), secret), () => useLink(app.context(), secret, undefined)],
      member: [
        () => lookAtMemberLink(app.context(), opened),
        () => spendMemberLink(app.context(), opened, { replaces: undefined, device: DEVICE }),
      ],
    };
    for (const use of uses[other]) await expect(use()).rejects.toMatchObject(REFUSED);
    for (const use of uses[audience]) await use();
  });

  it('a sign-in through a provider is not completed there, and not spent', async () => {
    const { em, now } = app.context();
    const state = crypto.randomUUID();
    const [stateHash, browserHash] = [hashOf(state), hashOf('browser')];
    const begun = { issuer: 'https://id.example', nonce: 'n', codeVerifier: 'v', returnTo: '/', startedAt: now() };
    const expiresAt = new Date(now().getTime() + 60_000);
    em.create(ProviderSignIn, { stateHash, browserHash, audience, ...begun, expiresAt });
    await em.flush();
    const rules = { audience: other, find: () => Promise.reject(new Error('found')) } as unknown as SignInRules;
    const query = new URLSearchParams({ state });
    const finish = (as: SignInRules) =>
      finishProviderSignIn(app.context(), as, { query, browserSecret: 'browser', replaces: undefined });
    await expect(finish(rules)).rejects.toMatchObject(REFUSED);
    await expect(finish({ ...rules, audience })).rejects.toThrow('found');
  });
});

it('a link of staff is no invitation of a member', async () => {
  await newLink(accounts.staff, 'invitation');
  expect(await hasLiveInvitation(app.context(), accounts.member)).toBe(false);
  expect(await invitationExpiries(app.context(), [accounts.member])).toEqual([undefined]);
  await endInvitations(app.context(), accounts.member);
  await app.context().em.nativeUpdate(PartnerMember, { id: accounts.member }, { joinedAt: null });
  app.advance(1);
  await reinviteMember(app.context(), accounts.member, 'system');
  app.resetClock();
  expect(await app.context().em.count(AccountLink, { ...rowsOf(accounts.staff), usedAt: null })).toBe(1);
});

it('a member’s session is not confirmed as one of staff', async () => {
  const port = new URL(app.config.adminUrl).host;
  const path = { address: '127.0.0.1', host: port, isForwarded: false };
  const context = { ...app.context(), config: { ...app.config, databaseUrl: undefined } };
  await expect(confirmSession(context, path, secrets.member)).rejects.toMatchObject({ code: 'sign_in_required' });
  await confirmSession(context, path, secrets.staff);
});
