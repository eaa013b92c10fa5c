import { nothingUnder } from '../../../src/platform/identifier/known-id.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import { copyOwnData } from '../../../src/sign-in/portal/own-data.ts';
import { type DownloadContext, type DownloadVisit, serveDownload } from '../download/send-download.ts';
import { readFileName, sendCopy } from '../own-data/send-copy.ts';

/**
 * `GET {portal}/data/my-data.json`: all that is kept about the fan; `my-data.html`: the same to read. A browser that has no right to it, or
 * whose fan signed in a while ago, is sent to the portal, which says why.
 */
export function serveOwnData(context: ServiceContext, ctx: DownloadContext, visit: DownloadVisit): Promise<void> {
  return serveDownload(ctx, visit, async (fan) => {
    const file = readFileName(ctx.params.file);
    if (file?.name !== 'my-data') throw nothingUnder('usr', ctx.params.file ?? '');
    sendCopy(ctx, await copyOwnData(context, fan), file.format);
  });
}
