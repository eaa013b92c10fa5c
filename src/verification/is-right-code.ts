import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.ts';
import { Fan } from '../entities/fan.ts';
import type { Mode } from '../entities/mode.ts';
import { TestUser } from '../entities/test-user.ts';
import { hashOf } from '../identifier/secret-value.ts';
import { idOf, type Uuid } from '../identifier/type-id.ts';
import type { WithVerification } from './provider.ts';

export interface CodeChallenge {
  mode: Mode;
  /** E.164. */
  phone: string;
  /** The provider's; null or undefined where nothing was sent. */
  reference?: string | null | undefined;
}

/** Whether a code is right: in sandbox the test user's static one, in production the one that the provider sent. */
export async function isRightCode(
  { em, verification }: Pick<Context, 'em'> & WithVerification,
  { mode, phone, reference }: CodeChallenge,
  code: string,
): Promise<boolean> {
  if (mode === 'sandbox') {
    const fan = await em.findOne(Fan, { mode, phone });
    const testUser = await em.findOne(TestUser, { fan: fan?.id ?? NOBODY });
    // compared for an unknown number too, so that it takes the same time
    const right = sameCode(testUser?.code ?? 'no such user', code);
    return testUser !== null && right;
  }
  if (reference === null || reference === undefined) return false;
  return verification.check(phone, reference, code);
}

/** Nobody's identifier: unknown numbers cost the same look-up. */
const NOBODY = idOf('usr', '00000000-0000-7000-8000-000000000000' as Uuid);

function sameCode(expected: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(expected)), Buffer.from(hashOf(given)));
}
