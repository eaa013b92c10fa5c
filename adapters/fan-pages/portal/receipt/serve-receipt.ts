import { decodeProtectedHeader } from 'jose';
import { jwksUrl } from '../../../../src/oauth/metadata.ts';
import { DomainError } from '../../../../src/platform/errors.ts';
import type { ServiceContext } from '../../../../src/runtime.ts';
import { signOwnReceipt } from '../../../../src/sign-in/consent/sign-receipt.ts';
import type { PortalFan } from '../../../../src/sign-in/portal/find-portal-session.ts';
import type { RequestContext } from '../../../http/request-state.ts';
import { RECEIPT_POLICY, receiptPage, type Verification } from './receipt-page.ts';
import { receiptWords } from './receipt-words.ts';

const FORMATS = { html: 'text/html; charset=utf-8', jwt: 'application/jwt' } as const;
/** `{grant_id}.html` or `.jwt`. */
const FILE = /^(?<grantId>[a-z0-9_]{1,60})\.(?<format>html|jwt)$/;

export type DownloadContext = RequestContext & { params: Record<string, string | undefined> };

/** A visit in which a fan downloads something. */
export interface DownloadVisit {
  /** Address of the portal. */
  portal: string;
  /** @throws DomainError `session_not_found` */
  requireFan: () => Promise<PortalFan>;
}

/**
 * `GET {portal}/receipts/{grant_id}.html`: a receipt to read, with its signed statement; `.jwt`: the statement alone. The
 * query's `locale` and `timeZone` are the browser's. A browser that has no right to it is sent to the portal, which says why.
 */
export async function serveReceipt(
  context: ServiceContext,
  ctx: DownloadContext,
  { portal, requireFan }: DownloadVisit,
): Promise<void> {
  ctx.set('Cache-Control', 'no-store');
  try {
    const fan = await requireFan();
    const { grantId = '', format = 'html' } = FILE.exec(ctx.params.file ?? '')?.groups ?? {};
    const receipt = await signOwnReceipt(context, fan.id, grantId);
    const name = fileName(receipt.payload.client_name, receipt.payload.iat);
    ctx.set({
      'Content-Type': FORMATS[format === 'jwt' ? 'jwt' : 'html'],
      'Content-Disposition': `attachment; filename="${name}.${format}"`,
      'Content-Security-Policy': `${RECEIPT_POLICY}; frame-ancestors 'none'; sandbox`,
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
    });
    const { locale, timeZone } = ctx.query;
    const wanted = [...[locale ?? []].flat(), ...[ctx.acceptsLanguages()].flat()];
    ctx.body =
      format === 'jwt'
        ? receipt.statement
        : receiptPage(
            receipt,
            receiptWords(wanted, [timeZone].flat()[0]),
            await verification(context, receipt.statement),
          );
  } catch (error) {
    sendToPortal(ctx, portal, error);
  }
}

/** Sends a browser that may not have a download to the portal, which says why. @throws any other error */
export function sendToPortal(ctx: DownloadContext, portal: string, error: unknown): void {
  const codes = ['session_not_found', 'not_found', 'fresh_sign_in_required'];
  if (!(error instanceof DomainError) || !codes.includes(error.code)) throw error;
  ctx.state.outcome = error.code;
  ctx.status = 303;
  ctx.set('Location', portal);
}

/** The page has the public key that verifies the statement, because that key stays published only for some weeks. */
async function verification({ keys, config }: ServiceContext, statement: string): Promise<Verification> {
  const { kid } = decodeProtectedHeader(statement);
  const published = await keys.published();
  return {
    key: published.keys.find((key) => key.kid === kid),
    keysUrl: jwksUrl(config.authUrl),
  };
}

/** `receipt-front-row-2026-11-22`, of ASCII letters only. */
function fileName(clientName: string, issuedAt: number): string {
  const words = clientName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['app'];
  return ['receipt', words.join('-').slice(0, 60), new Date(issuedAt * 1000).toISOString().slice(0, 10)].join('-');
}
