import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSigner } from '../../src/chain/wallet/signer.ts';
import { Wallet } from '../../src/entities/wallet.ts';
import { preferKey } from '../../src/keys/admit-key.ts';
import { awsKmsVault, kmsVaultId } from '../../src/keys/aws-kms.ts';
import { readEncryptionStatus } from '../../src/keys/encryption-status.ts';
import { reencrypt } from '../../src/keys/reencrypt.ts';
import type { KeyVault } from '../../src/keys/vault.ts';
import { registerFan } from '../../src/sign-in/fan/register-fan.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { signIn } from '../support/partner.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { type Moto, startMoto } from './moto.ts';

/** D-180 against an AWS KMS, as the moto server from PyPI plays it. Told in order. */
let moto: Moto;
let keyArn: string;
let database: TestDatabase;
const apps: TestApp[] = [];
beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  moto = await startMoto();
  vi.stubEnv('AWS_ENDPOINT_URL_KMS', moto.url);
  keyArn = await moto.createKey();
  database = await createDatabase();
}, 400_000);
afterAll(async () => {
  for (const app of apps) await app.stop();
  await database.drop();
  await moto.stop();
});

async function start(env: Record<string, string>, logTo?: PassThrough): Promise<TestApp> {
  const app = await startApp({ databaseUrl: database.url, env, ...(logTo && { logTo }) });
  apps.push(app);
  return app;
}

async function walletOf(app: TestApp, phone: string): Promise<Wallet> {
  const fan = await registerFan(app.context(), 'production', phone);
  return app.context().em.findOneOrFail(Wallet, { fan: fan.id });
}

/** Nothing opened is left from before. */
const forget = (app: TestApp) => Object.assign(app.runtime, { signer: createSigner(app.runtime) });
const signature = async (app: TestApp, address: string) =>
  Buffer.from(await app.runtime.signer.sign(address, Buffer.from('a message'))).toString('hex');

describe('the vault', () => {
  const secret = randomBytes(32);
  let vault: KeyVault;
  beforeAll(async () => {
    vault = await awsKmsVault(keyArn);
  });

  test('what it seals opens again, for its owner and by its key only', async () => {
    const { sealed, sealedWith } = await vault.seal('owner', secret);
    expect(sealedWith).toBe(kmsVaultId(keyArn));
    expect(Buffer.from(await vault.open('owner', sealed))).toEqual(secret);
    await expect(vault.open('somebody else', sealed)).rejects.toThrow();
    const other = await awsKmsVault(await moto.createKey());
    await expect(other.open('owner', sealed)).rejects.toThrow();
  });

  test('a service that does not answer is given up after seconds, with a time to wait', async () => {
    const { sealed } = await vault.seal('owner', secret);
    moto.freeze();
    const began = performance.now();
    await expect(vault.open('owner', sealed)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 });
    expect(performance.now() - began).toBeLessThan(7_000);
    moto.thaw();
    expect(Buffer.from(await vault.open('owner', sealed))).toEqual(secret);
  });
});

describe('from the database to KMS and back, without a stop', () => {
  let before: TestApp;
  let both: TestApp;
  let kms: TestApp;
  let old: Wallet;
  let signed: string;

  test('round 1: a process that has the KMS key still seals in the database', async () => {
    before = await start({});
    old = await walletOf(before, '+12025550100');
    signed = await signature(before, old.address);
    both = await start({ CUSTODY_KMS_KEY_ARN: keyArn });
    expect((await walletOf(both, '+12025550101')).sealedWith).toBe(both.runtime.secrets.id);
  });

  test('round 2: new wallets are sealed by KMS, the others follow, and every process of both rounds signs with them', async () => {
    kms = await start({ CUSTODY_PROVIDER: 'aws-kms', CUSTODY_KMS_KEY_ARN: keyArn });
    const made = await walletOf(kms, '+12025550102');
    expect(made.sealedWith).toBe(kmsVaultId(keyArn));
    expect(await signature(both, made.address)).toHaveLength(128);
    expect(await reencrypt(both.context())).toMatchObject({ done: 0 });
    expect(await reencrypt(kms.context())).toMatchObject({ done: 4, unopened: [], finished: true });
    for (const app of [both, kms]) {
      forget(app);
      expect(await signature(app, old.address)).toBe(signed);
    }
    const { tables } = await readEncryptionStatus(kms.context());
    expect(tables.filter(({ left }) => left > 0)).toEqual([]);
    expect((await signIn(kms)).access_token).toBeDefined();
  });

  test('a process without the KMS key does not start any more, and says which variable is missing', async () => {
    await expect(start({})).rejects.toThrow(/5 rows of wallet remain sealed with another key.*CUSTODY_KMS_KEY_ARN/);
  });

  test('while KMS is down: known keys sign for a minute, others and new fans are told to wait', async () => {
    const other = (await walletOf(kms, '+12025550103')).address;
    await signature(kms, old.address);
    moto.freeze();
    expect(await signature(kms, old.address)).toBe(signed);
    await expect(signature(kms, other)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 });
    await expect(walletOf(kms, '+12025550104')).rejects.toMatchObject({ code: 'unavailable' });
    const log = new PassThrough();
    const chunks: string[] = [];
    log.on('data', (chunk) => void chunks.push(String(chunk)));
    await start({ CUSTODY_PROVIDER: 'aws-kms', CUSTODY_KMS_KEY_ARN: keyArn }, log);
    expect(chunks.join('')).toContain('the key service is unreachable');
    moto.thaw();
    expect(await signature(kms, other)).toHaveLength(128);
  });

  test('the way back: the database seals again, and the KMS key is no longer needed', async () => {
    expect(await preferKey(both.context())).toBe(true);
    await reencrypt(both.context());
    const after = await start({});
    expect(await signature(after, old.address)).toBe(signed);
  });

  test('a key that KMS does not have is reported at the start', async () => {
    const nobodys = keyArn.replace(/[0-9a-f]{12}$/, '000000000000');
    const env = { CUSTODY_PROVIDER: 'aws-kms', CUSTODY_KMS_KEY_ARN: nobodys };
    await expect(start(env)).rejects.toThrow('AWS KMS refuses the key of CUSTODY_KMS_KEY_ARN');
  });
});
