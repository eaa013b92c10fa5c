import { setTimeout as sleep } from 'node:timers/promises';
import { hashOf, newBrowserSecret } from '../../platform/identifier/secret-value.ts';
import { after } from '../../platform/time.ts';
import { type CheckContext, checkChallenge } from '../verification/check-challenge.ts';
import { recycledBefore } from '../verification/recycled-number.ts';
import { openPortal, readTestCode } from '../verification/statements.ts';
import { findPortalChallenge, PORTAL_IDLE, signInIsOver } from './find-portal-session.ts';

/** A refusal takes at least this long: for an unknown number no provider is called, and a faster answer would disclose that. */
const MIN_REFUSAL_MS = 1_000;

/**
 * Checks a code of the portal. The right one gives the visit a new secret, because an attacker may have planted the old one in the
 * browser, and opens the portal. Where the number may have passed from its fan to another person, it moves the visit to `continuity`
 * instead. Registers nobody: a person without grants has nothing to see here.
 * @returns the secret for the browser's cookie, and the step that the visit is at
 * @throws DomainError `session_not_found`, and as `checkChallenge`
 */
export async function checkPortalCode(
  context: CheckContext,
  secret: string | undefined,
  code: string,
): Promise<CheckedCode> {
  const began = performance.now();
  try {
    return await check(context, secret, code);
  } catch (error) {
    await sleep(Math.max(0, MIN_REFUSAL_MS - (performance.now() - began)));
    throw error;
  }
}

interface CheckedCode {
  secret: string;
  step: 'open' | 'continuity';
}

async function check(context: CheckContext, secret: string | undefined, code: string): Promise<CheckedCode> {
  const { pool, now } = context;
  const found = await findPortalChallenge(context, secret);
  if (found?.step !== 'code') throw signInIsOver();
  const { purpose, owner, mode, phone, reference, expiresAt } = found;
  const newSecret = newBrowserSecret();
  let step: CheckedCode['step'] = 'open';
  const [test] = mode === 'sandbox' ? await readTestCode(pool, [phone, null]) : [];
  const challenge = {
    purpose,
    owner,
    mode,
    phone,
    reference: reference ?? null,
    expiresAt,
    testCode: test?.code ?? null,
  };
  await checkChallenge(context, challenge, code, async () => {
    const values = [purpose, owner, phone, mode, recycledBefore(context), now()];
    const [opened] = await openPortal(pool, [...values, hashOf(newSecret), after(now(), PORTAL_IDLE)]);
    if (opened?.step === 'continuity') step = 'continuity';
    return opened !== undefined;
  });
  return { secret: newSecret, step };
}
