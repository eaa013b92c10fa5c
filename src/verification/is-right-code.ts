import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Mode } from '../entities/mode.ts';
import { hashOf } from '../identifier/secret-value.ts';
import { findTestUser, type Sandbox } from './find-test-user.ts';
import type { WithVerification } from './provider.ts';

export interface CodeChallenge {
  mode: Mode;
  /** Where test users are looked for; of no meaning in production. */
  sandbox: Sandbox;
  /** E.164. */
  phone: string;
  /** The provider's; null or undefined where nothing was sent. */
  reference?: string | null | undefined;
}

/** Whether a code is right: in sandbox the test user's static one, in production the one that the provider sent. */
export async function isRightCode(
  { em, verification }: Pick<Context, 'em'> & WithVerification,
  { mode, sandbox, phone, reference }: CodeChallenge,
  code: string,
): Promise<boolean> {
  if (mode === 'sandbox') {
    const testUser = await findTestUser({ em }, phone, sandbox);
    // compared for an unknown number too, so that it takes the same time
    const right = sameCode(testUser?.code ?? 'no such user', code);
    return testUser !== undefined && right;
  }
  if (reference === null || reference === undefined) return false;
  return verification.check(phone, reference, code);
}

function sameCode(expected: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(expected)), Buffer.from(hashOf(given)));
}
