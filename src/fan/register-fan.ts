import type { Context } from '../context.ts';
import { Fan } from '../entities/fan.ts';
import type { Mode } from '../entities/mode.ts';
import type { WithSecrets } from '../keys/seal.ts';
import { createWallet } from '../wallet/create-keys.ts';

/**
 * The fan of a phone number, registered with a custodial wallet where the number is new. Two calls at once make one fan.
 * @param phone E.164
 */
export async function registerFan(
  { em, now, secrets }: Pick<Context, 'em' | 'now'> & WithSecrets,
  mode: Mode,
  phone: string,
): Promise<Fan> {
  const known = await em.findOne(Fan, { mode, phone });
  if (known) return known;
  try {
    return await em.fork().transactional(async (tx) => {
      const fan = tx.create(Fan, { mode, phone, createdAt: now() });
      await createWallet({ em: tx, now, secrets }, fan);
      return fan;
    });
  } catch (error) {
    const other = await em.findOne(Fan, { mode, phone });
    if (other) return other;
    throw error;
  }
}
