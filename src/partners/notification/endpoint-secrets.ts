import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { type NotificationFormat, NotificationSecret } from '../../entities/notification.ts';
import { seal, unseal, type WithSecrets } from '../../keys/seal.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { hashOf, newNotificationToken } from '../../platform/identifier/secret-value.ts';
import type { Id, Uuid } from '../../platform/identifier/type-id.ts';
import { after, HOUR } from '../../platform/time.ts';

/** Hours for which a secret that was rotated stays valid. */
export const OVERLAP_HOURS = 24;

/** A secret before it is stored; `value` is shown once. */
export interface MadeSecret {
  owner: string;
  value: string;
  sealedSecret: string | null;
  sealedWith: string;
  secretHash: string | null;
}

/**
 * Makes a secret: the key of the signatures of webhooks, kept sealed, or the token of an endpoint that polls, kept as its hash.
 * @returns undefined for `set_push`: Security Event Tokens are signed with the issuer's keys
 */
export async function makeSecret(
  { secrets }: WithSecrets,
  endpoint: Id<'nep'>,
  format: NotificationFormat,
): Promise<MadeSecret | undefined> {
  const owner = `${endpoint}.${randomBytes(9).toString('base64url')}`;
  if (format === 'set_push') return undefined;
  if (format === 'set_poll') {
    const value = newNotificationToken();
    return { owner, value, sealedSecret: null, sealedWith: '', secretHash: hashOf(value) };
  }
  // 24 to 64 bytes, by the standard
  const value = `whsec_${randomBytes(32).toString('base64')}`;
  const { sealed, sealedWith } = await seal(secrets, owner, Buffer.from(value));
  return { owner, value, sealedSecret: sealed, sealedWith, secretHash: null };
}

/** Adds a secret, in the caller's transaction. The previous one stays valid for `OVERLAP_HOURS`; any older one ends. */
export async function addSecret(
  em: EntityManager,
  endpoint: Id<'nep'>,
  { value: _, ...secret }: MadeSecret,
  now: Date,
): Promise<void> {
  await em.nativeDelete(NotificationSecret, { endpoint, expiresAt: { $ne: null } });
  await em.nativeUpdate(NotificationSecret, { endpoint }, { expiresAt: after(now, OVERLAP_HOURS * HOUR) });
  em.create(NotificationSecret, { ...secret, endpoint, createdAt: now });
}

const readSealed = prepared<{ owner: string; sealed_secret: string }>(`
  select owner, sealed_secret from notification_secret
  where endpoint_id = $1 and sealed_secret is not null and (expires_at is null or expires_at > $2)
  order by expires_at desc nulls first, owner`);

/** The keys of an endpoint's signatures that are valid now, the newest first. */
export async function openSecrets(
  { pool, secrets, now }: { pool: Pool; now: () => Date } & WithSecrets,
  endpoint: Uuid,
): Promise<string[]> {
  const rows = await readSealed(pool, [endpoint, now()]);
  return Promise.all(
    rows.map(async ({ owner, sealed_secret: sealed }) => Buffer.from(await unseal(secrets, owner, sealed)).toString()),
  );
}

const findByToken = prepared<{ endpoint_id: Uuid }>(`
  select endpoint_id from notification_secret where secret_hash = $1 and (expires_at is null or expires_at > $2)`);

/** The endpoint of a token; undefined where there is none. */
export async function endpointOfToken(
  { pool, now }: { pool: Pool; now: () => Date },
  token: string,
): Promise<Uuid | undefined> {
  const [found] = await findByToken(pool, [hashOf(token), now()]);
  return found?.endpoint_id;
}
