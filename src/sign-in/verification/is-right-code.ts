import { timingSafeEqual } from 'node:crypto';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import type { Mode } from '../../platform/mode.ts';
import type { WithVerification } from './provider.ts';

export interface CodeChallenge {
  mode: Mode;
  /** The code of the sandbox's test user with the number; undefined where there is none. Not asked in production. */
  findTestCode(): Promise<string | undefined>;
  /** E.164. */
  phone: string;
  /** The provider's; null or undefined where nothing was sent. */
  reference?: string | null | undefined;
}

/** Whether a code is right: in sandbox the test user's static one, in production the one that the provider sent. */
export async function isRightCode(
  { verification }: WithVerification,
  { mode, findTestCode, phone, reference }: CodeChallenge,
  code: string,
): Promise<boolean> {
  if (mode === 'sandbox') {
    const testCode = await findTestCode();
    // compared for an unknown number too, so that it takes the same time
    const right = sameCode(testCode ?? 'no such user', code);
    return testCode !== undefined && right;
  }
  if (reference === null || reference === undefined) return false;
  return verification.check(phone, reference, code);
}

function sameCode(expected: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(expected)), Buffer.from(hashOf(given)));
}
