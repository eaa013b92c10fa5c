import { nothingUnder } from '../../../src/platform/identifier/known-id.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { copyOwnData } from '../../../src/sign-in/portal/own-data.ts';
import { readFileName, sendCopy } from '../own-data/send-copy.ts';
import { type DownloadContext, type DownloadVisit, sendToPortal } from './receipt/serve-receipt.ts';

/**
 * `GET {portal}/data/my-data.json`: all that is kept about the fan; `my-data.html`: the same to read. A browser that has no right to it, or
 * whose fan signed in a while ago, is sent to the portal, which says why.
 */
export async function serveOwnData(
  context: ServiceContext,
  ctx: DownloadContext,
  { portal, requireFan }: DownloadVisit,
): Promise<void> {
  ctx.set('Cache-Control', 'no-store');
  try {
    const fan = await requireFan();
    const file = readFileName(ctx.params.file);
    if (file?.name !== 'my-data') throw nothingUnder('usr', ctx.params.file ?? '');
    sendCopy(ctx, await copyOwnData(context, fan), file.format);
  } catch (error) {
    sendToPortal(ctx, portal, error);
  }
}
