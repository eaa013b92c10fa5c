import type { Middleware } from 'koa';
import type { Config } from '../../../src/platform/config/config.ts';
import { type KeptMail, readMails } from '../../../src/platform/mail/mail-inbox.ts';
import type { Runtime } from '../../../src/runtime.ts';
import { createInbox } from '../../../src/sign-in/verification/inbox.ts';
import type { PlainPage } from '../../http/plain-page.ts';
import type { RequestState } from '../../http/request-state.ts';
import { showPage } from '../../http/show-page.ts';

/** Address of the inbox of development; undefined where codes go to real phones and e-mails to real mailboxes, and always in production. */
export function inboxUrl({ production, surfaces, verification, smtp, loginUrl }: Config): string | undefined {
  const keepsAny = verification.provider === 'log' || smtp === undefined;
  return !production && surfaces.has('login') && keepsAny ? `${loginUrl}/inbox` : undefined;
}

function describeMail({ to, subject, text, sentAt }: KeptMail): NonNullable<PlainPage['sections']>[number] {
  const links = [...text.matchAll(/^https?:\/\/\S+$/gm)].map(([href]) => ({ label: 'Open the link', href }));
  return { title: subject, text: `To ${to}, ${sentAt.toISOString().slice(11, 19)} UTC\n\n${text}`, links };
}

/** The codes and e-mails that would have been sent. For development: anybody who can open the page can sign in with any number. */
export function inboxSurface({ pool }: Pick<Runtime, 'pool'>, url: string): Middleware<RequestState> {
  const inbox = createInbox(pool);
  return async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      ctx.status = 405;
      return;
    }
    const [entries, mails] = await Promise.all([inbox.read(), readMails(pool)]);
    showPage(ctx, 200, {
      title: 'Inbox',
      paragraphs: [
        'Codes that production sign-ins would have sent by SMS, and e-mails of the partner workspace, of the last 10 minutes. Sandbox test users have fixed codes, which are not shown here.',
        entries.length + mails.length === 0 ? 'Nothing yet.' : 'Newest first.',
      ],
      next: { label: 'Reload', href: url },
      rows: entries.map(({ phone, code, sentAt }) => ({
        term: `${phone}, ${sentAt.toISOString().slice(11, 19)} UTC`,
        text: code,
      })),
      ...(mails.length > 0 && { sections: mails.map(describeMail) }),
    });
  };
}
