import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import type { SmtpConfig } from '../config/config.ts';
import { DomainError } from '../errors.ts';
import type { Mail, MailSender } from './mail-sender.ts';

export interface SmtpOptions extends SmtpConfig {
  log: Logger;
  /** Whether a connection without TLS is refused. */
  production: boolean;
  /** Milliseconds for each step of a delivery, and at most twice that for all of them. */
  timeLimit?: number;
}

const TIME_LIMIT = 5_000;

/**
 * Sends e-mail by SMTP. `smtps:` begins with TLS; with `smtp:` it is turned on by STARTTLS, in production always, so that neither
 * password nor links go over the network in clear. It never retries: a second e-mail would confuse more than none.
 * @see RFC 3207, RFC 8314
 */
export function createSmtpSender({ url, from, log, production, timeLimit = TIME_LIMIT }: SmtpOptions): MailSender {
  let opened: Promise<Transporter> | undefined;
  // the package takes a moment to load, and most processes send nothing
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    const { protocol, hostname, port, username, password } = new URL(url);
    const secure = protocol === 'smtps:';
    return createTransport({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      requireTLS: production && !secure,
      ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      connectionTimeout: timeLimit,
      greetingTimeout: timeLimit,
      socketTimeout: timeLimit,
      dnsTimeout: timeLimit,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  return {
    async send({ to, subject, text }: Mail) {
      opened ??= open();
      try {
        const transport = await opened;
        const sent = transport.sendMail({ from, to: { name: '', address: to }, subject, text });
        await within(sent, 2 * timeLimit);
      } catch (err) {
        // the address is a person's, so only the server's answer is logged
        const { code, responseCode, command } = err as { code?: string; responseCode?: number; command?: string };
        log.error({ code, responseCode, command }, 'an e-mail was not sent');
        throw new DomainError('unavailable', 'The e-mail could not be sent. Try again shortly.', { cause: err });
      }
    },
  };
}

/** Limits a whole delivery: a server may answer slowly, but always within the limit of a step. */
async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
