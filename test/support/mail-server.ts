import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** An e-mail that the server took. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** With the header. */
  source: string;
  /** Whether it came over TLS. */
  secure: boolean;
}

/** A real SMTP server: `smtp-server` from npm. */
export interface MailServer {
  port: number;
  mails: ReceivedMail[];
  stop(): Promise<void>;
}

export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    // its own certificate is nobody's; a test of TLS brings one
    hideSTARTTLS: true,
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(parts).toString(),
          secure: session.secure,
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The text of an e-mail, as a person reads it. */
export function textOf({ source }: ReceivedMail): string {
  const [header = '', ...body] = source.split('\r\n\r\n');
  const text = body.join('\r\n\r\n');
  return /quoted-printable/i.test(header)
    ? text
        .replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
}
