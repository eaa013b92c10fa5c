import type { Logger } from 'pino';
import type { SignInLink } from '../../src/staff/make-link.ts';

/** Prints a sign-in link on the output of the process: who reads that may use it. */
export function announceLink(log: Logger, { url, name, expiresAt }: SignInLink): void {
  log.warn({ link: url, expiresAt }, `one-time sign-in link for ${name}`);
}
