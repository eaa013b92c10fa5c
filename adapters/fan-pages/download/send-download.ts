import { DomainError } from '../../../src/platform/errors.ts';
import type { PortalFan } from '../../../src/sign-in/portal/find-portal-session.ts';
import type { RequestContext } from '../../http/request-state.ts';
import { type ReceiptWords, receiptWords } from '../portal/receipt/receipt-words.ts';
import { DOCUMENT_POLICY } from './document.ts';

export type DownloadContext = RequestContext & { params: Record<string, string | undefined> };

/** A visit in which a fan downloads something. */
export interface DownloadVisit {
  /** Address of the portal. */
  portal: string;
  /** @throws DomainError `session_not_found` */
  requireFan: () => Promise<PortalFan>;
}

const REFUSED = ['session_not_found', 'not_found', 'fresh_sign_in_required'];

/** Serves a download to a fan. A browser that has no right to it is sent to the portal, which says why. */
export async function serveDownload(
  ctx: DownloadContext,
  { portal, requireFan }: DownloadVisit,
  send: (fan: PortalFan) => Promise<void>,
): Promise<void> {
  ctx.set('Cache-Control', 'no-store');
  try {
    await send(await requireFan());
  } catch (error) {
    if (!(error instanceof DomainError) || !REFUSED.includes(error.code)) throw error;
    ctx.state.outcome = error.code;
    ctx.status = 303;
    ctx.set('Location', portal);
  }
}

/** The words of a document, in the language and time zone that the query's `locale` and `timeZone` say: the browser's. */
export function wordsFor(ctx: RequestContext): ReceiptWords {
  const { locale, timeZone } = ctx.query;
  return receiptWords([...[locale ?? []].flat(), ...[ctx.acceptsLanguages()].flat()], [timeZone].flat()[0]);
}

/** Answers with a file that the browser saves. No script in it runs, also where somebody opens it here. */
export function sendFile(ctx: RequestContext, file: { name: string; type: string; body: string }): void {
  ctx.set({
    'Cache-Control': 'no-store',
    'Content-Type': file.type,
    'Content-Disposition': `attachment; filename="${file.name}"`,
    'Content-Security-Policy': `${DOCUMENT_POLICY}; frame-ancestors 'none'; sandbox`,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  });
  ctx.body = file.body;
}
