import { createWallet, type NewKey, newKey } from '../../chain/wallet/create-keys.ts';
import { Fan } from '../../entities/fan.ts';
import type { WithCustody } from '../../keys/vault.ts';
import type { EntityContext } from '../../platform/context.ts';
import type { Mode } from '../../platform/mode.ts';

/**
 * Finds the fan of a number (E.164), or registers one with a custodial wallet. Concurrent calls create one fan.
 * @throws DomainError `unavailable` where no key can be sealed at the moment
 */
export async function registerFan(
  { em, now, custody }: EntityContext & WithCustody,
  mode: Mode,
  phone: string,
): Promise<Fan> {
  const known = await em.findOne(Fan, { mode, phone });
  if (known) return known;
  const key = await newKey({ custody });
  try {
    return await em.fork().transactional(async (tx) => {
      return createFan({ em: tx, now, custody }, { mode, phone }, key);
    });
  } catch (error) {
    const other = await em.findOne(Fan, { mode, phone });
    if (other) return other;
    throw error;
  }
}

/** Creates a fan with a wallet, in the caller's unit of work. @param key made before the caller's transaction */
export async function createFan(
  { em, now, custody }: EntityContext & WithCustody,
  { mode, phone }: { mode: Mode; phone: string },
  key: NewKey,
): Promise<Fan> {
  const fan = em.create(Fan, { mode, phone, numberVouchedAt: now(), createdAt: now() });
  await createWallet({ em, now, custody }, fan, key);
  return fan;
}
