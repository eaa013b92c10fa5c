import { EncryptionKey, KEY_PURPOSES, type KeyPurpose } from '../entities/encryption-key.ts';
import type { Context } from '../platform/context.ts';
import { takeLock } from '../platform/database/advisory-lock.ts';
import { recordAudit } from '../record/audit/record-audit.ts';
import { isKms } from './aws-kms.ts';
import type { WithSecrets } from './seal.ts';
import { countSealed, foreignAmong, inWords, type SealedCount } from './sealed-tables.ts';
import { custodyFor, type WithCustody } from './vault.ts';

type AdmitContext = Pick<Context, 'em' | 'now' | 'requestId' | 'log'> & WithSecrets & WithCustody;

/**
 * Checks at the start of a process that its keys open every secret of the database, and that `KEY_ENCRYPTION_KEY` was not rotated out. A
 * key that has sealed nothing yet becomes the newest of its purpose, to which the job re-encrypts. Without a fallback, the keys before
 * `KEY_ENCRYPTION_KEY` are retired.
 * @throws Error naming what another key sealed, or that the key is retired
 */
export async function admitKey(context: AdmitContext): Promise<void> {
  const { secrets, log } = context;
  const known = await underLock(context, async (within, keys) => {
    const own = keys.find((key) => key.purpose === 'secrets' && key.id === secrets.id);
    const newest = newestOf(keys, 'secrets');
    if (own?.retiredAt) throw retired(own, newest);
    const foreign = await foreignAmong(within, await countSealed(within));
    if (foreign.length > 0) throw doesNotOpen(secrets.fallback !== undefined, foreign);
    for (const purpose of KEY_PURPOSES) introduce(within, keys, purpose);
    if (secrets.fallback === undefined && (!own || own === newest)) retireOthers(within, keys);
    return keys;
  });
  if (known.some(({ id, retiredAt }) => id === secrets.fallback?.id && retiredAt)) {
    log.warn(
      { key: secrets.fallback?.id },
      'KEY_ENCRYPTION_KEY_FALLBACK is no longer needed: nothing is sealed with it',
    );
  }
}

/**
 * Makes the keys of this process the newest, to undo a rotation that has begun.
 * @returns false where they are the newest already
 */
export async function preferKey(context: AdmitContext): Promise<boolean> {
  return underLock(context, async (within, keys) => {
    const behind = KEY_PURPOSES.flatMap((purpose) => {
      const own = keys.find((key) => key.purpose === purpose && key.id === custodyFor(context, purpose).vault.id);
      return own === undefined || own === newestOf(keys, purpose) ? [] : [own];
    });
    for (const key of behind) {
      key.since = sinceAfter(within, keys);
      const details = { purpose: key.purpose };
      recordAudit(within, { actor: 'system', action: 'encryption_key.preferred', subject: key.id, details });
    }
    return behind.length > 0;
  });
}

/** The key of a purpose for which rows are re-encrypted. @param keys newest first */
export function newestOf(keys: readonly EncryptionKey[], purpose: KeyPurpose): EncryptionKey | undefined {
  return keys.find((key) => key.purpose === purpose);
}

/** Every key that has sealed, newest first. */
export function readKeys({ em }: Pick<Context, 'em'>): Promise<EncryptionKey[]> {
  return em.find(EncryptionKey, {}, { orderBy: { since: 'desc', id: 'asc' } });
}

async function underLock<T>(
  context: AdmitContext,
  work: (within: AdmitContext, keys: EncryptionKey[]) => Promise<T>,
): Promise<T> {
  return context.em.fork().transactional(async (em) => {
    await takeLock(em, 'encryptionKeys');
    return work({ ...context, em }, await readKeys({ em }));
  });
}

function introduce(context: AdmitContext, keys: readonly EncryptionKey[], purpose: KeyPurpose): void {
  const { id } = custodyFor(context, purpose).vault;
  if (keys.some((key) => key.purpose === purpose && key.id === id)) return;
  context.em.create(EncryptionKey, { purpose, id, since: sinceAfter(context, keys) });
  const details = { purpose };
  recordAudit(context, { actor: 'system', action: 'encryption_key.introduced', subject: id, details });
}

/** Later than every other key's, even where the clocks of processes differ. */
function sinceAfter({ now }: Pick<Context, 'now'>, [newest]: readonly EncryptionKey[]): Date {
  return new Date(Math.max(now().getTime(), (newest?.since.getTime() ?? 0) + 1));
}

function retireOthers(context: AdmitContext, keys: readonly EncryptionKey[]): void {
  const others = keys.filter(({ id, retiredAt }) => id !== context.secrets.id && !isKms(id) && !retiredAt);
  for (const key of others) key.retiredAt = context.now();
  for (const subject of new Set(others.map(({ id }) => id)))
    recordAudit(context, { actor: 'system', action: 'encryption_key.retired', subject });
}

function retired(key: EncryptionKey, newest: EncryptionKey | undefined): Error {
  const when = key.retiredAt?.toISOString() ?? '';
  return new Error(
    `KEY_ENCRYPTION_KEY (id ${key.id}) was rotated out on ${when} and is refused. Start with the key that replaced it (id ${newest?.id}).`,
  );
}

function doesNotOpen(withFallback: boolean, foreign: readonly SealedCount[]): Error {
  const ids = [...new Set(foreign.map(({ sealedWith }) => sealedWith))].filter((id) => id !== '');
  const names = withFallback ? 'KEY_ENCRYPTION_KEY and KEY_ENCRYPTION_KEY_FALLBACK do' : 'KEY_ENCRYPTION_KEY does';
  const variable = ids.length > 0 && ids.every(isKms) ? 'CUSTODY_KMS_KEY_ARN' : 'KEY_ENCRYPTION_KEY_FALLBACK';
  const other = ids.length > 0 ? ` (id ${ids.join(', ')})` : '';
  return new Error(
    `${names} not open everything in this database: ${inWords(foreign)} remain sealed with another key${other}. ` +
      `Set ${variable} to that key until \`npm run keys:status\` says that nothing is left.`,
  );
}
