import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ImportFormat } from '../../src/entities/import-run.ts';
import type { ImportProgress } from '../consoles/admin/import-endpoint.ts';
import { UsageError } from './flags.ts';

const TYPES: Readonly<Record<ImportFormat, string>> = { ndjson: 'application/x-ndjson', csv: 'text/csv' };
/** The service reports every second while it works. */
const SILENCE_MS = 120_000;

export interface InventoryFile {
  content: Readable;
  format: ImportFormat;
  name: string | undefined;
  resume: string | undefined;
}

/**
 * Sends a file to the import endpoint, and reads its progress meanwhile: `fetch` would read the answer only after the whole file.
 * @param adminUrl without a trailing slash
 * @returns the last progress; `state` is `running` where the connection broke off
 * @throws UsageError where the service can't be reached or refuses the import
 */
export async function sendInventory(
  adminUrl: string,
  token: string,
  { content, format, name, resume }: InventoryFile,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportProgress> {
  const query = new URLSearchParams({ via: 'cli', ...(name && { name }), ...(resume && { run: resume }) });
  const url = new URL(`${adminUrl}/import?${query}`);
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': TYPES[format], accept: 'application/x-ndjson' },
    timeout: SILENCE_MS,
  });
  request.once('timeout', () => request.destroy(new Error(`no data arrived for ${SILENCE_MS / 1000} seconds`)));
  const answered = answerOf(request);
  // the answer, or the lack of one, shows what failed
  const sent = pipeline(content, request).catch(() => undefined);
  const response = await answered.catch((error: Error) => {
    throw new UsageError(`${adminUrl} can’t be reached: ${reasonOf(error)}`);
  });
  if (response.statusCode !== 200) {
    const refusal = new UsageError(await refusalOf(response, adminUrl));
    request.destroy();
    content.destroy();
    throw refusal;
  }
  const last = await readProgress(response, onProgress);
  // a stopped run reads no more of the file
  if (last?.state !== 'finished') content.destroy();
  await sent;
  request.destroy();
  if (last === undefined) throw new UsageError(`${adminUrl} closed the connection before the import began`);
  return last;
}

function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
  });
}

async function readProgress(
  response: IncomingMessage,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportProgress | undefined> {
  let last: ImportProgress | undefined;
  try {
    for await (const line of createInterface({ input: response })) {
      last = JSON.parse(line) as ImportProgress;
      onProgress(last);
    }
  } catch {
    // the connection broke: the last progress shows how far the run got
  }
  return last;
}

/** Reads the failed rows of a run. @throws UsageError */
export async function fetchFailures(adminUrl: string, token: string, run: string): Promise<Response> {
  const answer = await fetch(`${adminUrl}/import/${run}/failures`, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new UsageError(`The failed rows can’t be read: ${adminUrl} answered ${answer.status}.`);
  return answer;
}

async function refusalOf(response: IncomingMessage, adminUrl: string): Promise<string> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  const told = messageIn(text);
  switch (response.statusCode) {
    case 401:
      return 'The token is not valid: it is wrong, has expired, or its account is disabled.';
    case 429:
      return `${told ?? 'There are too many calls.'} Try again in ${response.headers['retry-after'] ?? 60} seconds.`;
    case 404:
      return told ?? `${adminUrl}/import is not there: check --url, and that the service is of this version.`;
    default:
      return told ?? `${adminUrl}/import answered ${response.statusCode}.`;
  }
}

/** The message of a refused call of the inventory. */
export function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { errors?: { message?: string }[] }).errors?.[0]?.message;
  } catch {
    return undefined;
  }
}

/** Why a connection failed. */
export function reasonOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  // Node’s message for several addresses is empty
  return error.message || code;
}
