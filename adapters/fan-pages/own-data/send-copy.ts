import type { FanCopy } from '../../../src/sign-in/own-data/copy-data.ts';
import type { RequestContext } from '../../http/request-state.ts';
import { sendFile, wordsFor } from '../download/send-download.ts';
import { copyPage } from './copy-page.ts';

const FORMATS = { html: 'text/html; charset=utf-8', json: 'application/json; charset=utf-8' } as const;
export type CopyFormat = keyof typeof FORMATS;

/** The name and the format in a file's name such as `my-data.html`; undefined where it is no such name. */
export function readFileName(file: string | undefined): { name: string; format: CopyFormat } | undefined {
  const { name, format } = /^(?<name>[a-z0-9_-]{1,60})\.(?<format>html|json)$/.exec(file ?? '')?.groups ?? {};
  return name === undefined ? undefined : { name, format: format === 'html' ? 'html' : 'json' };
}

/** Answers with a copy of a fan's data as a download. The query's `locale` and `timeZone` are the browser's. */
export function sendCopy(ctx: RequestContext, copy: FanCopy, format: CopyFormat): void {
  const { parts, ...about } = copy;
  sendFile(ctx, {
    name: `fan-data-${copy.made_at.toISOString().slice(0, 10)}.${format}`,
    type: FORMATS[format],
    body: format === 'html' ? copyPage(copy, wordsFor(ctx)) : `${JSON.stringify({ ...about, ...parts }, null, 1)}\n`,
  });
}
