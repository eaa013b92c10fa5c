/**
 * E-mail: a port with two implementations, SMTP (`smtp-sender.ts`) and the inbox page of development (`mail-inbox.ts`).
 *
 * @module
 */

/** A plain e-mail. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface MailSender {
  /** @throws DomainError `unavailable` where the mail server did not accept it */
  send(mail: Mail): Promise<void>;
}

/** The part of a context that sends e-mail. */
export interface WithMail {
  mail: MailSender;
}
