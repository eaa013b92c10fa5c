import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { DomainError } from '../errors.ts';
import { createInboxSender } from './mail-inbox.ts';
import type { MailSender } from './mail-sender.ts';
import { createSmtpSender } from './smtp-sender.ts';

/** The configured sender. In production without SMTP nothing is sent, and nothing is kept for an inbox page either. */
export function chooseSender(
  { smtp, production }: Pick<Config, 'smtp' | 'production'>,
  { pool, log }: { pool: Pool; log: Logger },
): MailSender {
  if (smtp) return createSmtpSender({ ...smtp, log, production });
  if (!production) return createInboxSender({ pool, log });
  return {
    send: () => Promise.reject(new DomainError('unavailable', 'This service sends no e-mail: SMTP_URL is not set.')),
  };
}
