import type { Context } from '../context.ts';
import { Fan } from '../entities/fan.ts';
import type { Mode } from '../entities/mode.ts';
import type { WithSecrets } from '../keys/seal.ts';
import { createWallet } from '../wallet/create-keys.ts';

/** The fan of a number (E.164), registered with a custodial wallet where it is new. Concurrent calls create one fan. */
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
