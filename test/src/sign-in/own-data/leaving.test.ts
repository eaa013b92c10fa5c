import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { Claim } from '../../../../src/entities/claim.ts';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { CustodyMove } from '../../../../src/entities/custody-move.ts';
import { Fan } from '../../../../src/entities/fan.ts';
import { FormerNumber } from '../../../../src/entities/former-number.ts';
import { Listing } from '../../../../src/entities/listing.ts';
import { NotificationEndpoint } from '../../../../src/entities/notification.ts';
import { Passkey } from '../../../../src/entities/passkey.ts';
import { Permit } from '../../../../src/entities/permit.ts';
import { PortalSession } from '../../../../src/entities/portal-session.ts';
import { Ticket } from '../../../../src/entities/ticket.ts';
import { Wallet } from '../../../../src/entities/wallet.ts';
import { liftKillSwitch, setKillSwitch } from '../../../../src/partners/kill-switch/kill-switch.ts';
import { newId, uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { registerFan } from '../../../../src/sign-in/fan/register-fan.ts';
import { copyFanData } from '../../../../src/sign-in/own-data/copy-data.ts';
import { type DeletedAgain, deleteAgain } from '../../../../src/sign-in/own-data/delete-again.ts';
import { deleteFan } from '../../../../src/sign-in/own-data/delete-fan.ts';
import { FAN_TABLES } from '../../../../src/sign-in/own-data/fan-tables.ts';
import { finishLeaving } from '../../../../src/sign-in/own-data/finish-leaving.ts';
import { testUser } from '../../../adapters/fan-pages/login/login-calls.ts';
import { openPortal } from '../../../adapters/fan-pages/portal/portal-calls.ts';
import { rows } from '../../../support/chain-app.ts';
import { callFan, callLogin, refresh, type Tokens } from '../../../support/partner.ts';
import { portalCodeSent } from '../../../support/phone-challenge.ts';
import { enableProductionClient, giveTicket, readCodesFromLog } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import {
  apply,
  newEvent,
  outcomes,
  PRODUCTION_PROGRAM_ID,
  signInProduction,
  ticketRow,
} from '../../inventory/stage.ts';
import { fanOf, proveNumber } from '../verification/long-unused.ts';

const app = await testApp({ env: { PRODUCTION_PROGRAM_ID } });
const PAST = { starts_at: '2026-01-05T18:00:00Z', ends_at: '2026-01-05T22:00:00Z' };
const STAFF = 'staff:stf_test';
let phone: string;
let numbers = 5550100;
beforeEach(() => {
  phone = `+1202${numbers++}`;
});
afterEach(() => app.resetClock());

/** A fan's browser at the portal, by a code to the number. */
async function atPortal(number = phone) {
  const codeFor = readCodesFromLog(app);
  const browser = openPortal(app);
  await browser.get('phone.sendCode', { phone: number });
  await portalCodeSent(app, number);
  await browser.get('phone.verifyCode', { code: codeFor(number) });
  return browser;
}

/** A fan with something in every table: an app, a visit, a passkey, a former number, a ticket of the past that a row named. */
async function fullFan() {
  const { event, type, rows: before } = newEvent(PAST);
  await apply(app, [...before, ticketRow(event, type, `${event}-ticket`, { holder_phone: phone })]);
  const tokens: Tokens = await signInProduction(app, phone);
  const fan = await fanOf(app, phone);
  const { em, now } = app.context();
  const former = `+1303${phone.slice(5)}`;
  em.create(FormerNumber, { fan, phone: former, reason: 'changed_by_fan', givenUpAt: now() });
  const secret = crypto.randomUUID();
  const passkey = { id: newId('pky'), rpId: 'localhost', counter: 0, transports: [], createdAt: now() };
  em.create(Passkey, { fan, ...passkey, name: `Phone of ${secret}`, credentialId: secret, publicKey: `key ${secret}` });
  const grant = await em.findOneOrFail(ConsentGrant, tokens.grant_id);
  const endpoint = { id: newId('nep'), client: grant.client, format: 'set_poll', types: ['grant.revoked'] } as const;
  em.create(NotificationEndpoint, { ...endpoint, createdAt: now() } as never);
  await em.flush();
  await callFan(app, '/tickets', tokens.access_token);
  await app.runtime.activity.flush();
  const reference = `${event}-ticket`;
  return { fan, tokens, former, secret, row: ticketRow(event, type, reference, { holder_phone: phone }), reference };
}

/** Every row of the database that has a text, by table. */
async function rowsWith(text: string): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    app,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and not relispartition`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [hit] = await rows(app, `select from "${name}" x where strpos(x::text, $1) > 0 limit 1`, [text]);
    if (hit) found.push(name);
  }
  return found;
}

const keyOf = (number: string) => createHash('sha256').update(`phone ${number}`).digest('base64url');
const deletions = (fan: Fan) =>
  rows<{ actor: string; details: object }>(
    app,
    `select actor, details from audit_entry where action = 'fan.deleted' and subject = $1`,
    [fan.id],
  );
const remove = (fan: Pick<Fan, 'id'>) =>
  app
    .context()
    .em.transactional((em) =>
      deleteFan({ ...app.context(), em }, fan.id as Fan['id'], { actor: `fan:${fan.id}`, details: { by: 'fan' } }),
    );

describe('a fan who leaves', () => {
  it('leaves nothing of a person anywhere in the database', async () => {
    const { fan, former, secret } = await fullFan();
    const portal = await atPortal();
    expect(await rowsWith(phone.slice(1))).toEqual(expect.arrayContaining(['fan', 'phone_challenge']));
    expect(await rowsWith(keyOf(phone))).toEqual(['ticket']);
    await portal.get('account.leave');
    for (const text of [phone.slice(1), former.slice(1), secret, keyOf(phone)])
      expect(await rowsWith(text)).toEqual([]);
    const { deletedAt, ...kept } = await app.context().em.findOneOrFail(Fan, fan.id);
    expect(deletedAt).toBeInstanceOf(Date);
    expect(kept).toMatchObject({ mode: 'production', phone: null, numberProvedAt: null, passkeyDeclinedAt: null });
    expect(await deletions(fan)).toEqual([{ actor: `fan:${fan.id}`, details: { by: 'fan' } }]);
  });

  it('ends every app and every visit, and apps are told', async () => {
    const { fan, tokens } = await fullFan();
    const [portal, elsewhere] = [await atPortal(), await atPortal()];
    expect(await portal.get('account.leave')).toEqual({ deleted: true });
    const { status, body } = await callFan(app, '/tickets', tokens.access_token);
    expect({ status, body }).toMatchObject({
      status: 401,
      body: { message: 'The access of this token has been revoked.' },
    });
    const grant = await app.context().em.findOneOrFail(ConsentGrant, tokens.grant_id, { populate: ['client'] });
    expect(grant).toMatchObject({ revokedReason: 'revoked_by_fan' });
    const refreshed = await refresh(app, tokens.refresh_token, { client_id: grant.client.id });
    expect([refreshed.status, refreshed.error]).toEqual([400, 'invalid_grant']);
    expect((await elsewhere.get<{ step: string }>('session.get')).step).toBe('phone');
    const told = `select type from notification where grant_id = $1`;
    expect(await rows(app, told, [uuidOf('grant', tokens.grant_id)])).toEqual([{ type: 'grant.revoked' }]);
    expect(await app.context().em.count(PortalSession, { fan: fan.id })).toBe(0);
  });

  it('frees the number: whoever signs in with it begins a new account', async () => {
    const { fan } = await fullFan();
    await (await atPortal()).get('account.leave');
    app.advance(60);
    const client = await enableProductionClient(app);
    await proveNumber({ app, client, codeFor: readCodesFromLog(app) }, phone);
    const next = await fanOf(app, phone);
    expect(next.id).not.toBe(fan.id);
    expect(await app.context().em.count(Ticket, { owner: next.id })).toBe(0);
  });

  it('is a new fan for the company’s next row; a row of a past event brings nobody back', async () => {
    const { fan, row, reference } = await fullFan();
    await (await atPortal()).get('account.leave');
    expect(await outcomes(app, [row])).toEqual(['unchanged']);
    expect(await app.context().em.count(Fan, { phone })).toBe(0);
    const ticket = await app.context().em.findOneOrFail(Ticket, { reference });
    expect(ticket.owner?.id).toBe(fan.id);
    const { event, type, rows: before } = newEvent();
    const byId = ticketRow(event, type, `${event}-by-id`, { holder_phone: undefined, holder_fan_id: fan.id });
    const byNumber = ticketRow(event, type, `${event}-by-number`, { holder_phone: phone });
    expect(await outcomes(app, [...before, byId, byNumber])).toEqual([
      'created',
      'created',
      'failed unknown_fan holder_fan_id',
      'created',
    ]);
    expect((await fanOf(app, phone)).id).not.toBe(fan.id);
  });

  it('keeps what was sold: a row that is applied again takes the ticket from nobody', async () => {
    const { event, type, rows: before } = newEvent();
    const row = ticketRow(event, type, `${event}-sold`, { holder_phone: phone });
    await apply(app, [...before, row]);
    const seller = await fanOf(app, phone);
    const buyer = await registerFan(app.context(), 'production', `+1404${phone.slice(5)}`);
    await app.context().em.nativeUpdate(Ticket, { reference: row.reference }, { owner: buyer.id });
    await remove(seller);
    expect(await outcomes(app, [row])).toEqual(['failed sold_on holder_phone']);
    expect(await app.context().em.count(Fan, { phone })).toBe(0);
  });

  it('leaves once, however often and from how many places it is asked', async () => {
    const { fan } = await fullFan();
    await Promise.all([1, 2, 3, 4].map(() => remove(fan)));
    await remove(fan);
    expect(await deletions(fan)).toHaveLength(1);
  });

  it('wins or loses against a consent at the same moment, and no access is left', async () => {
    const client = await enableProductionClient(app);
    for (let round = 0; round < 20; round++) {
      phone = `+1202${numbers++}`;
      const started = await proveNumber({ app, client, codeFor: readCodesFromLog(app) }, phone);
      const fan = await fanOf(app, phone);
      const portal = await atPortal();
      const choice = { actions: ['fan:tickets:read'], mode: 'all_current_future', ticketIds: [] };
      const [granted, left] = await Promise.all([
        callLogin(app, started, 'consent.grant', choice),
        portal.call('account.leave'),
      ]);
      expect(left.status).toBe(200);
      expect([200, 404, 409, 410]).toContain(granted.status);
      expect(await app.context().em.count(ConsentGrant, { fan: fan.id, revokedAt: null })).toBe(0);
    }
  });

  it('shows a fresh sign-in first', async () => {
    await fullFan();
    const portal = await atPortal();
    app.advance(601);
    expect(await portal.call('account.leave')).toMatchObject({ status: 403, reason: 'fresh_sign_in_required' });
    expect(await app.context().em.count(Fan, { phone })).toBe(1);
  });
});

describe('leaving is refused, with a sentence,', () => {
  const refused = async (fan: Pick<Fan, 'id'>) => {
    const error = await remove(fan).then(
      () => undefined,
      (reason: Error & { code?: string }) => reason,
    );
    expect(error?.code).toBe('conflict');
    return error?.message;
  };
  const register = () => registerFan(app.context(), 'production', phone);
  const soon = (seconds: number) => new Date(app.runtime.now().getTime() + seconds * 1000);
  const past = () => ({ startsAt: soon(-86_400), endsAt: soon(-80_000) });

  it('while the fan holds a ticket of a future event, which it names', async () => {
    const fan = await register();
    const { permit } = await giveTicket(app, fan, { eventName: 'Night 5', startsAt: soon(86_400) });
    await giveTicket(app, fan, { eventName: 'Night 1', ...past() });
    const day = soon(86_400).toISOString().slice(0, 10);
    expect(await refused(fan)).toBe(`This account still holds tickets: Night 5 (${day}).`);
    const portal = await atPortal();
    expect(await portal.get('account.holds')).toMatchObject({
      tickets: [{ eventName: 'Night 5', isOnSale: false }],
      incoming: 0,
    });
    expect(await portal.call('account.leave')).toMatchObject({ status: 409, reason: 'conflict' });
    await app.context().em.nativeUpdate(Permit, { id: permit.id }, { revokedAt: app.runtime.now() });
    expect(await portal.get('account.leave')).toEqual({ deleted: true });
  });

  it('while one is on sale, also of a past event', async () => {
    const fan = await register();
    const { permit } = await giveTicket(app, fan, { eventName: 'Night 1', ...past() });
    const { em, now } = app.context();
    const listing = em.create(Listing, { permit, marketplace: 'm', price: 5n, openedAt: now() });
    await em.flush();
    expect(await refused(fan)).toMatch(/Night 1 \(.*, on sale\)/);
    await em.nativeUpdate(Listing, { id: listing.id }, { closedAt: now(), outcome: 'cancelled' });
    await remove(fan);
  });

  it('while a claim or a move to the fan is under way', async () => {
    const { grant_id } = await signInProduction(app, phone);
    const fan = await fanOf(app, phone);
    const other = await registerFan(app.context(), 'production', `+1404${phone.slice(5)}`);
    const { permit } = await giveTicket(app, other, { ...past() });
    const { em, now } = app.context();
    const wallets = { signerWallet: 'a', destinationWallet: 'b', transaction: '', recentBlockhash: 'c' };
    const times = { createdAt: now(), updatedAt: now() };
    const claim = em.create(Claim, {
      ...{ signature: crypto.randomUUID(), grant: grant_id, permit, state: 'submitted' },
      ...wallets,
      ...times,
    });
    await em.flush();
    expect(await refused(fan)).toMatch(/on its way/);
    await em.nativeUpdate(Claim, { id: claim.id }, { state: 'failed', nextAttemptAt: now() });
    expect(await refused(fan)).toMatch(/on its way/);
    await em.nativeUpdate(Claim, { id: claim.id }, { nextAttemptAt: null });
    const move = em.create(CustodyMove, {
      ...{ mode: 'production', permit, kind: 'transfer', fromFan: other.id, toFan: fan.id, origin: 'test' },
      ...{ retryAt: now(), createdAt: now() },
    });
    await em.flush();
    expect(await refused(fan)).toMatch(/on its way/);
    await em.nativeUpdate(CustodyMove, { id: move.id }, { state: 'done', endedAt: now() });
    await remove(fan);
  });

  it('while staff have stopped the fan: a new account would be free of it', async () => {
    const fan = await register();
    await setKillSwitch(app.context(), { kind: 'fan', fanId: fan.id }, 'fraud', STAFF);
    expect(await refused(fan)).toMatch(/Staff have stopped/);
    await liftKillSwitch(app.context(), { kind: 'fan', fanId: fan.id }, 'mistake', STAFF);
    await remove(fan);
  });

  it('for a test user, whom the partner resets', async () => {
    expect(await refused({ id: testUser(app).id } as Fan)).toMatch(/test user/);
  });
});

describe('after a fan has left', () => {
  const walletOf = (fan: Fan) => app.context().em.count(Wallet, { fan: fan.id });

  it('the wallet’s key is destroyed once no permit of it is left', async () => {
    const fan = await registerFan(app.context(), 'production', phone);
    const day = 86_400_000;
    const at = app.runtime.now().getTime();
    const { permit } = await giveTicket(app, fan, { startsAt: new Date(at - 2 * day), endsAt: new Date(at - day) });
    await app.context().em.nativeUpdate(Permit, { id: permit.id }, { issuedAt: new Date(at - 3 * day) });
    await remove(fan);
    app.advance(3601);
    await finishLeaving(app.context());
    expect(await walletOf(fan)).toBe(1);
    await app.context().em.nativeUpdate(Permit, { id: permit.id }, { closedAt: app.runtime.now() });
    await finishLeaving(app.context());
    expect(await walletOf(fan)).toBe(0);
    await finishLeaving(app.context());
  });

  it('but not in the first hour, in which a claim may still land, and never that of a fan who stays', async () => {
    const fan = await registerFan(app.context(), 'production', phone);
    const stays = await registerFan(app.context(), 'production', `+1404${phone.slice(5)}`);
    await remove(fan);
    app.advance(3599);
    await finishLeaving(app.context());
    expect(await walletOf(fan)).toBe(1);
    app.advance(2);
    await finishLeaving(app.context());
    expect([await walletOf(fan), await walletOf(stays)]).toEqual([0, 1]);
  });

  it('what a sign-in that was under way adds is deleted too', async () => {
    const fan = await registerFan(app.context(), 'production', phone);
    await remove(fan);
    const { em, now } = app.context();
    const visit = { secretHash: 'x'.repeat(43), authenticatedAt: now(), createdAt: now(), expiresAt: now() };
    await em.insert(PortalSession, { fan: fan.id, ...visit });
    await finishLeaving(app.context());
    expect(await em.count(PortalSession, { fan: fan.id })).toBe(0);
    expect(await deletions(fan)).toHaveLength(1);
  });
});

describe('after a backup from before was restored', () => {
  /** The entries of deletions, as `audit export` and as the console writes them. */
  const files = async (fans: readonly Pick<Fan, 'id'>[]) => {
    const folder = await mkdtemp(join(inject('runFolder'), 'forget-'));
    const lines = fans.map(({ id }) => JSON.stringify({ action: 'fan.deleted', subject: id, details: { by: 'fan' } }));
    const other = JSON.stringify({ action: 'grant.revoked', subject: 'grant_x', details: { note: '"fan.deleted"' } });
    await writeFile(join(folder, 'a.ndjson'), [other, ...lines, ''].join('\n'));
    await writeFile(join(folder, 'b.json'), `[\n${[other, ...lines].join(',\n')}\n]\n`);
    return [join(folder, 'a.ndjson'), join(folder, 'b.json')];
  };
  const again = async (named: readonly string[]) => {
    const done: DeletedAgain[] = [];
    for await (const each of deleteAgain(() => app.context(), named)) done.push(each);
    return done;
  };

  it('the fans who have left since are deleted again, once, and one who holds something is named', async () => {
    const { fan } = await fullFan();
    const holder = await registerFan(app.context(), 'production', `+1404${phone.slice(5)}`);
    const { ticket } = await giveTicket(app, holder, { eventName: 'Night 5' });
    const named = await files([fan, holder, { id: newId('usr') }]);
    const kept = { fan: holder.id, refusal: expect.stringContaining('Night 5') };
    expect(await again(named)).toEqual([{ fan: fan.id }, kept, { fan: fan.id }, kept]);
    expect(await deletions(fan)).toEqual([{ actor: 'system', details: { by: 'restore' } }]);
    expect(await app.context().em.count(Fan, { phone })).toBe(0);
    await app.context().em.nativeUpdate(Ticket, { id: ticket.id }, { owner: null });
    expect(await again(named.slice(1))).toEqual([{ fan: fan.id }, { fan: holder.id }]);
  });
});

describe('a copy', () => {
  it('has everything that is kept, with receipts and identifiers as apps know them, and is on record', async () => {
    const { fan, tokens, former, secret, reference } = await fullFan();
    await atPortal();
    const by = { actor: `fan:${fan.id}`, details: { by: 'fan' } } as const;
    const { parts } = await copyFanData(app.context(), fan.id, by);
    const names = Object.values(FAN_TABLES).flatMap(({ copied }) => ('because' in copied ? [] : copied.as));
    expect(Object.keys(parts)).toEqual(names);
    expect(parts).toMatchObject({
      account: [{ id: fan.id, phone, number_proved_at: expect.any(Date) }],
      former_numbers: [{ phone: former, reason: 'changed_by_fan' }],
      passkeys: [{ name: `Phone of ${secret}`, site: 'localhost' }],
      visits: [{ began_at: expect.any(Date) }],
      sign_ins: [{ app: 'Real Tickets', method: 'sms' }],
      grants: [{ id: tokens.grant_id, app: 'Real Tickets', mode: 'all_current_future', ended_at: null }],
      tickets: [{ reference, is_yours: true, ticket: expect.stringMatching(/^tkt_/) }],
      wallets: [{ address: expect.any(String) }],
    });
    expect(parts.requests).toEqual(expect.arrayContaining([expect.objectContaining({ operation: 'tickets.list' })]));
    expect(parts.record).toEqual(
      expect.arrayContaining([expect.objectContaining({ action: 'grant.given', by: 'fan' })]),
    );
    const [, payload = ''] = String(parts.grants?.[0]?.receipt).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ grant_id: tokens.grant_id });
    const text = JSON.stringify(parts);
    expect(text).not.toMatch(/sealed|secret_hash|public_key/);
    expect(text).not.toContain(`key ${secret}`);
    expect(
      await rows(app, `select actor from audit_entry where action = 'fan.data_copied' and subject = $1`, [fan.id]),
    ).toEqual([{ actor: `fan:${fan.id}` }]);
  });

  it('has nothing of another fan', async () => {
    const other = await fullFan();
    phone = `+1202${numbers++}`;
    const { fan } = await fullFan();
    const { parts } = await copyFanData(app.context(), fan.id, { actor: STAFF, details: { by: 'fan' } });
    const text = JSON.stringify(parts);
    for (const theirs of [other.fan.id, other.tokens.grant_id, other.secret, other.former, other.reference])
      expect(text).not.toContain(theirs);
  });
});
