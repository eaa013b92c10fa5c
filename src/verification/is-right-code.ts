import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.ts';
import { Fan } from '../entities/fan.ts';
import type { Mode } from '../entities/mode.ts';
import { TestUser } from '../entities/test-user.ts';
import { hashOf } from '../identifier/secret-value.ts';
import { idOf, type Uuid } from '../identifier/type-id.ts';
import type { WithVerification } from './provider.ts';

/** A number whose owner was asked for a code. */
export interface CodeChallenge {
  mode: Mode;
  /** E.164. */
  phone: string;
  /** The provider's; null or undefined where nothing was sent. */
  reference?: string | null | undefined;
}

/**
 * Whether a code is the one of a number: in sandbox the test user's static one, in production the one that the provider sent.
 * @throws DomainError `verification_unavailable`
 */
export async function isRightCode(
  { em, verification }: Pick<Context, 'em'> & WithVerification,
  { mode, phone, reference }: CodeChallenge,
  code: string,
): Promise<boolean> {
  if (mode === 'sandbox') {
    const fan = await em.findOne(Fan, { mode, phone });
    const testUser = await em.findOne(TestUser, { fan: fan?.id ?? NOBODY });
    // compared in either case, so that an unknown number takes the same time
    const right = sameCode(testUser?.code ?? 'no such user', code);
    return testUser !== null && right;
  }
  if (reference === null || reference === undefined) return false;
  return verification.check(phone, reference, code);
}

/** An identifier that nobody has: the look-up takes place for unknown numbers too. */
const NOBODY = idOf('usr', '00000000-0000-7000-8000-000000000000' as Uuid);

function sameCode(expected: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(expected)), Buffer.from(hashOf(given)));
}
