import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { prepared, preparedWithDates } from '../database/prepared.ts';
import type { Mail, MailSender } from './mail-sender.ts';

/** An e-mail that was not sent. */
export interface KeptMail extends Mail {
  sentAt: Date;
}

const KEPT = `interval '10 minutes'`;

const write = prepared(`
  with forgotten as (delete from inbox_mail where sent_at < now() - ${KEPT})
  insert into inbox_mail (recipient, subject, body, sent_at) values ($1, $2, $3, now())`);
const read = preparedWithDates<KeptMail & { [column: string]: unknown }>(`
  select recipient as "to", subject, body as text, sent_at as "sentAt" from inbox_mail
  where sent_at >= now() - ${KEPT} order by id desc limit 50`);

/**
 * The sender of development: keeps e-mails ten minutes for the inbox page, in the database, since several processes may serve one
 * sign-in. Anyone who opens that page can sign in as anybody.
 */
export function createInboxSender({ pool, log }: { pool: Pool; log: Logger }): MailSender {
  return {
    async send({ to, subject, text }) {
      log.info({ to, subject, text }, 'e-mail (development: nothing was sent)');
      await write(pool, [to, subject, text]);
    },
  };
}

/** The e-mails of the last ten minutes, newest first. */
export function readMails(pool: Pool): Promise<KeptMail[]> {
  return read(pool, []);
}
