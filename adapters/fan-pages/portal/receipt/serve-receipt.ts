import { decodeProtectedHeader } from 'jose';
import { jwksUrl } from '../../../../src/oauth/metadata.ts';
import type { ServiceContext } from '../../../../src/runtime.ts';
import { signOwnReceipt } from '../../../../src/sign-in/consent/sign-receipt.ts';
import {
  type DownloadContext,
  type DownloadVisit,
  sendFile,
  serveDownload,
  wordsFor,
} from '../../download/send-download.ts';
import { receiptPage, type Verification } from './receipt-page.ts';

const FORMATS = { html: 'text/html; charset=utf-8', jwt: 'application/jwt' } as const;
/** `{grant_id}.html` or `.jwt`. */
const FILE = /^(?<grantId>[a-z0-9_]{1,60})\.(?<format>html|jwt)$/;

/**
 * `GET {portal}/receipts/{grant_id}.html`: a receipt to read, with its signed statement; `.jwt`: the statement alone. The
 * query's `locale` and `timeZone` are the browser's. A browser that has no right to it is sent to the portal, which says why.
 */
export function serveReceipt(context: ServiceContext, ctx: DownloadContext, visit: DownloadVisit): Promise<void> {
  return serveDownload(ctx, visit, async (fan) => {
    const { grantId = '', format = 'html' } = FILE.exec(ctx.params.file ?? '')?.groups ?? {};
    const receipt = await signOwnReceipt(context, fan.id, grantId);
    const { payload, statement } = receipt;
    sendFile(ctx, {
      name: `${fileName(payload.client_name, payload.iat)}.${format}`,
      type: FORMATS[format === 'jwt' ? 'jwt' : 'html'],
      body: format === 'jwt' ? statement : receiptPage(receipt, wordsFor(ctx), await verification(context, statement)),
    });
  });
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
