import type { FanPage, PlainPage } from './plain-page.ts';
import type { RequestContext } from './request-state.ts';

/** Answers with a page in the fan's language; or with one in English, for staff and developers. */
export function showPage(
  ctx: RequestContext,
  status: number,
  page: FanPage | PlainPage,
  uiLocales: string | null = new URLSearchParams(ctx.querystring).get('ui_locales'),
): void {
  const wishes = { uiLocales, acceptLanguage: ctx.get('Accept-Language') };
  const { headers, body } = ctx.state.pages.write(page, { requestId: ctx.state.requestId, wishes });
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
}
