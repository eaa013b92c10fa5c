import { createSecretKey, hkdfSync } from 'node:crypto';
import { CompactEncrypt } from 'jose';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { ensureChainKeys, ensureNextAuthority } from '../../../src/chain/wallet/create-keys.ts';
import { takeAuthority } from '../../../src/chain/wallet/take-authority.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { CHAIN_KEY_ROLES, ChainKey } from '../../../src/entities/chain.ts';
import { EncryptionKey } from '../../../src/entities/encryption-key.ts';
import { SigningKey } from '../../../src/entities/signing-key.ts';
import { Wallet } from '../../../src/entities/wallet.ts';
import { preferKey } from '../../../src/keys/admit-key.ts';
import { readEncryptionStatus } from '../../../src/keys/encryption-status.ts';
import { reencrypt, reencryptDue } from '../../../src/keys/reencrypt.ts';
import { rotateKeys } from '../../../src/keys/rotate-keys.ts';
import { deriveKeys, unseal } from '../../../src/keys/seal.ts';
import { countSealed, SEALED_TABLES } from '../../../src/keys/sealed-tables.ts';
import { startSession } from '../../../src/people/account/sessions.ts';
import { findLocalAdmin } from '../../../src/people/staff/make-link.ts';
import { registerFan } from '../../../src/sign-in/fan/register-fan.ts';
import { createDatabase } from '../../support/database.ts';
import { signIn } from '../../support/partner.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';

/** A rotation of KEY_ENCRYPTION_KEY told in order, by processes over one database; each test takes up where the last left off. */
const [OLD, NEW] = [21, 22].map((byte) => Buffer.alloc(32, byte).toString('hex')) as [string, string];
const idOf = (key: string) => deriveKeys(createSecretKey(key, 'hex')).id;
const [OLD_ID, NEW_ID] = [idOf(OLD), idOf(NEW)];
const FANS = 110;
const database = await createDatabase();
let started: TestApp[] = [];
const before = await start(OLD);
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  for (const app of started) await app.stop();
  await database.drop();
});

async function start(key: string, fallback?: string): Promise<TestApp> {
  const env = { KEY_ENCRYPTION_KEY: key, ...(fallback && { KEY_ENCRYPTION_KEY_FALLBACK: fallback }) };
  const app = await startApp({ databaseUrl: database.url, env });
  started = [...started, app];
  return app;
}

/** How many secrets each key sealed, over all tables. */
async function sealedBy(app: TestApp): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { sealedWith, count } of await countSealed(app.context()))
    sums[sealedWith] = (sums[sealedWith] ?? 0) + count;
  return sums;
}

async function newWallet(app: TestApp, phone: string): Promise<Wallet> {
  const fan = await registerFan(app.context(), 'production', phone);
  return app.context().em.findOneOrFail(Wallet, { fan: fan.id });
}

const signs = async (app: TestApp, address: string) =>
  (await app.runtime.signer.sign(address, Buffer.from('m'))).length;

it('every sealed column of an entity is in a table that re-encryption knows', () => {
  const tables = [...before.runtime.orm.getMetadata().getAll().values()].flatMap((meta) =>
    meta.props
      .filter(({ name }) => name.startsWith('sealed') && name !== 'sealedWith')
      .map(({ fieldNames }) => `${meta.tableName}.${fieldNames?.[0]}`),
  );
  expect(tables.sort()).toEqual(SEALED_TABLES.map(({ table, secret }) => `${table}.${secret}`).sort());
});

describe('D-019: KEY_ENCRYPTION_KEY is rotated without a stop', () => {
  let early: Wallet;
  let first: TestApp;
  let second: TestApp;

  it('what is sealed names the key, and so does the row', async () => {
    const context = before.context();
    await ensureChainKeys(context, 'sandbox');
    // a rotation behind us and one to come: every role has a key
    await takeAuthority(context, 'sandbox', await ensureNextAuthority(context, 'sandbox'));
    await ensureNextAuthority(context, 'sandbox');
    const admin = await findLocalAdmin(context);
    await startSession(context, admin.id, { authenticatedAt: null, idToken: 'hint', replaces: undefined });
    early = await newWallet(before, '+12025550100');
    await context.em.flush();
    expect(await sealedBy(before)).toEqual({ [OLD_ID]: expect.any(Number) });
    const header = JSON.parse(Buffer.from(early.sealedKey.split('.')[0] ?? '', 'base64url').toString());
    expect(header).toEqual({ kek: OLD_ID, alg: 'dir', enc: 'A256GCM', kid: early.address });
  });

  it('round 1: a process that has the new key as its fallback still seals with the old one', async () => {
    first = await start(OLD, NEW);
    const wallet = await newWallet(first, '+12025550101');
    expect(wallet.sealedWith).toBe(OLD_ID);
    expect(await signs(before, wallet.address)).toBe(64);
    expect(await reencrypt(first.context())).toEqual({ done: 0, unopened: [], finished: true });
  });

  it('round 2: processes with both settings side by side open what the other seals', async () => {
    second = await start(NEW, OLD);
    const [byOld, byNew] = [await newWallet(first, '+12025550102'), await newWallet(second, '+12025550103')];
    expect([byOld.sealedWith, byNew.sealedWith]).toEqual([OLD_ID, NEW_ID]);
    for (const app of [first, second]) {
      for (const { address } of [early, byOld, byNew]) expect(await signs(app, address)).toBe(64);
      expect((await signIn(app)).access_token).toBeDefined();
    }
  });

  it('the process with the older key re-encrypts nothing back, and says who has the newest', async () => {
    expect(await reencrypt(first.context())).toBeUndefined();
    expect(await readEncryptionStatus(first.context())).toMatchObject({
      key: OLD_ID,
      fallback: NEW_ID,
      tables: SEALED_TABLES.map(({ table }) => ({ table, key: OLD_ID, newest: NEW_ID })),
    });
  });

  it('a process with the new key alone does not start while rows are left, and names them', async () => {
    const refusal = await start(NEW).catch((error: Error) => error.message);
    const rows = /1 row of signing_key, 1 row of account_session, 4 rows of chain_key, \d+ rows of wallet remain/;
    expect(refusal).toMatch(rows);
    for (const named of [`id ${OLD_ID}`, 'KEY_ENCRYPTION_KEY_FALLBACK', 'npm run keys:status'])
      expect(refusal).toContain(named);
  });

  it('a row that somebody is writing is left for the next run, which waits for nobody', async () => {
    const run = await first.context().em.transactional(async (writer) => {
      await writer.execute('select 1 from wallet where address = ? for update', [early.address]);
      return reencrypt(second.context());
    });
    expect(run).toMatchObject({ unopened: [], finished: true });
    expect(await sealedBy(second)).toMatchObject({ [OLD_ID]: 1 });
    expect(await reencrypt(second.context())).toEqual({ done: 1, unopened: [], finished: true });
    expect(await sealedBy(second)).toEqual({ [NEW_ID]: expect.any(Number) });
  });

  it('what was re-encrypted opens in every process, and is the same secret', async () => {
    for (const app of [first, second]) expect(await signs(app, early.address)).toBe(64);
    const { sealedKey, sealedWith } = await second.context().em.findOneOrFail(Wallet, { address: early.address });
    expect(sealedWith).toBe(NEW_ID);
    const was = await unseal(first.runtime.secrets, early.address, early.sealedKey);
    expect(await unseal(second.runtime.secrets, early.address, sealedKey)).toEqual(was);
    const ours = await second.context().em.find(ChainKey, {});
    expect(ours.map(({ role }) => role).sort()).toEqual([...CHAIN_KEY_ROLES].sort());
    for (const { address } of ours) expect(await signs(second, address)).toBe(64);
  });

  it('a secret that is deleted between reading and writing stays deleted', async () => {
    const { kid } = await rotateKeys(first.context());
    const { query } = pg.Client.prototype;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function late(this: pg.Client, ...call: unknown[]) {
      const text = (call[0] as { text?: string }).text ?? '';
      const send = () => Reflect.apply(query, this, call);
      if (!text.includes('update signing_key')) return send();
      return first.context().em.nativeUpdate(SigningKey, { kid }, { sealedKey: null }).then(send);
    } as typeof query);
    expect(await reencrypt(second.context())).toMatchObject({ done: 0, finished: true });
    vi.restoreAllMocks();
    expect((await second.context().em.findOneOrFail(SigningKey, { kid })).sealedKey).toBeNull();
    await second.context().em.nativeDelete(SigningKey, { kid });
  });

  it('secrets from before keys had ids open with either key, and get their id', async () => {
    const { em } = second.context();
    const key = new Uint8Array(hkdfSync('sha256', createSecretKey(OLD, 'hex'), '', 'fan-api seal', 32));
    const secret = await unseal(second.runtime.secrets, early.address, early.sealedKey);
    const header = { alg: 'dir', enc: 'A256GCM', kid: early.address };
    const sealedKey = await new CompactEncrypt(secret).setProtectedHeader(header).encrypt(key);
    await em.nativeUpdate(Wallet, { address: early.address }, { sealedKey, sealedWith: '' });
    expect(await signs(await start(NEW, OLD), early.address)).toBe(64);
    await expect(start(NEW)).rejects.toThrow('1 row of wallet remain sealed with another key.');
    expect(await reencrypt(second.context())).toMatchObject({ done: 1 });
    expect((await em.refresh(await em.findOneOrFail(Wallet, { address: early.address })))?.sealedWith).toBe(NEW_ID);
  });

  it('works through many rows in small batches, in the time that it is given', async () => {
    const many = Array.from({ length: FANS }, (_, at) => `+1202555${String(2000 + at)}`);
    await Promise.all(many.map((phone) => registerFan(first.context(), 'production', phone)));
    const progress: number[] = [];
    expect(await reencrypt(second.context(), { patienceMs: 0 })).toMatchObject({ done: 0, finished: false });
    await reencrypt(second.context(), { onBatch: (done) => void progress.push(done) });
    expect([...new Set(progress)]).toEqual([0, 100, 110]);
    expect(await sealedBy(second)).toEqual({ [NEW_ID]: expect.any(Number) });
  });

  it('two runs at once share no work: the other one steps back', async () => {
    const other = await second.runtime.pool.connect();
    try {
      // as a run holds it, in whichever process
      await other.query('select pg_advisory_lock(7302007)');
      expect(await reencrypt(second.context())).toBeUndefined();
      await other.query('select pg_advisory_unlock(7302007)');
      expect(await reencrypt(second.context())).toMatchObject({ finished: true });
    } finally {
      other.release();
    }
  });

  it('a secret that no key opens is left as it is, and the log names its table', async () => {
    const { em } = second.context();
    const { address, sealedKey } = await newWallet(first, '+12025550109');
    const broken = `${sealedKey.slice(0, -3)}AAA`;
    await em.nativeUpdate(Wallet, { address }, { sealedKey: broken });
    const error = vi.spyOn(second.runtime.log, 'error');
    await reencryptDue(second.context());
    expect(error).toHaveBeenCalledWith(
      { count: 1, tables: ['wallet'] },
      expect.stringContaining('no key of this process'),
    );
    expect((await em.findOneOrFail(Wallet, { address })).sealedKey).toBe(broken);
    await em.nativeUpdate(Wallet, { address }, { sealedKey });
  });

  it('the way back: the old key becomes the newest again, and rows follow it', async () => {
    // whatever its clock says
    const late = () => new Date(Date.now() - 86_400_000);
    expect(await preferKey({ ...first.context(), now: late })).toBe(true);
    expect(await preferKey(first.context())).toBe(false);
    expect(await reencrypt(second.context())).toBeUndefined();
    await reencrypt(first.context());
    expect(await sealedBy(first)).toEqual({ [OLD_ID]: expect.any(Number) });
    expect(await preferKey(second.context())).toBe(true);
    await reencryptDue(second.context());
    expect(await sealedBy(first)).toEqual({ [NEW_ID]: expect.any(Number) });
  });

  it('round 3: the new key alone starts; then the old one is refused, and as a fallback is not needed', async () => {
    const third = await start(NEW);
    expect(await signs(third, early.address)).toBe(64);
    const refusal = `id ${OLD_ID}\\) was rotated out on .* Start with the key that replaced it \\(id ${NEW_ID}\\)`;
    await expect(start(OLD, NEW)).rejects.toThrow(new RegExp(refusal));
    expect(await signs(await start(NEW, OLD), early.address)).toBe(64);
    const keys = await third.context().em.find(EncryptionKey, { purpose: 'secrets' }, { orderBy: { since: 'asc' } });
    expect(keys.map(({ id, retiredAt }) => [id, retiredAt !== null])).toEqual([
      [OLD_ID, true],
      [NEW_ID, false],
    ]);
  });

  it('each step is audited', async () => {
    const entries = await before
      .context()
      .em.find(AuditEntry, { subject: [OLD_ID, NEW_ID] }, { orderBy: { id: 'asc' } });
    const told = entries.map(({ action, subject, details }) => [
      action,
      subject === OLD_ID ? 'old' : 'new',
      ...(details.purpose === undefined ? [] : [details.purpose]),
    ]);
    const both = (action: string, key: string) => ['secrets', 'custody'].map((purpose) => [action, key, purpose]);
    expect(told).toEqual([
      ...both('encryption_key.introduced', 'old'),
      ...both('encryption_key.introduced', 'new'),
      ...both('encryption_key.preferred', 'old'),
      ...both('encryption_key.preferred', 'new'),
      ['encryption_key.retired', 'old'],
    ]);
  });
});
