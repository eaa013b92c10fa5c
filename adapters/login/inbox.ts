import type { Middleware } from 'koa';
import type { Config } from '../../src/config/config.ts';
import type { Runtime } from '../../src/runtime.ts';
import { createInbox } from '../../src/verification/inbox.ts';
import { showPage } from '../http/plain-page.ts';
import type { RequestState } from '../http/request-state.ts';

/** Seconds after which the page reloads. */
const REFRESH = 5;

/** Address of the inbox of the development provider; undefined where codes go to real phones, and always in production. */
export function inboxUrl({ production, surfaces, verification, loginUrl }: Config): string | undefined {
  return !production && surfaces.has('login') && verification.provider === 'log' ? `${loginUrl}/inbox` : undefined;
}

/** The codes that would have been sent. For development: anybody who can open the page can sign in with any number. */
export function inboxSurface({ pool }: Pick<Runtime, 'pool'>): Middleware<RequestState> {
  const inbox = createInbox(pool);
  return async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      ctx.status = 405;
      return;
    }
    const entries = await inbox.read();
    showPage(ctx, 200, {
      title: 'Inbox',
      paragraphs: [
        'Codes that production sign-ins would have sent by SMS in the last 10 minutes. Sandbox test users have fixed codes, which are not shown here.',
        entries.length === 0 ? `No codes yet. This page reloads every ${REFRESH} seconds.` : 'Newest first.',
      ],
      rows: entries.map(({ phone, code, sentAt }) => ({
        term: `${phone}, ${sentAt.toISOString().slice(11, 19)} UTC`,
        text: code,
      })),
    });
    ctx.set('Refresh', String(REFRESH));
  };
}
