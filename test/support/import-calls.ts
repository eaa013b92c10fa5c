import { type ClientRequest, request } from 'node:http';
import type { ImportProgress } from '../../adapters/consoles/admin/import-endpoint.ts';
import { createServiceAccount } from '../../src/people/staff/service-accounts.ts';
import type { TestApp } from './start-app.ts';

/** Any address: nothing is issued without a cluster. */
export const IMPORT_ENV = { PRODUCTION_PROGRAM_ID: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' };

/** The token of a service account that may import. */
export async function importToken(app: TestApp, scopes = ['inventory:write']): Promise<string> {
  const wish = { name: 'Box office', scopes, days: 1, callsPerMinute: 6_000 };
  return (await createServiceAccount(app.context(), wish, 'system')).value;
}

export interface Upload {
  request: ClientRequest;
  /** Settles at the end of the answer, also where the connection broke. */
  answer: Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string; lines: ImportProgress[] }>;
}

/** Begins an import whose body the caller writes. @param query `?run=…` */
export function beginUpload(
  app: TestApp,
  token: string | undefined,
  query = '',
  type = 'application/x-ndjson',
): Upload {
  const headers = { 'content-type': type, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const upload = request(`${app.config.adminUrl}/import${query}`, { method: 'POST', headers, agent: false });
  const answer = new Promise<Awaited<Upload['answer']>>((resolve, reject) => {
    upload.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      const end = () => {
        const { statusCode: status = 0, headers } = response;
        const whole = text.split('\n').slice(0, -1);
        resolve({ status, headers, text, lines: status === 200 ? whole.map((line) => JSON.parse(line)) : [] });
      };
      response.once('end', end).once('error', end);
    });
    upload.once('error', reject);
  });
  // a test that breaks the connection does not wait for its answer
  answer.catch(() => undefined);
  return { request: upload, answer };
}

/** Imports a whole body. @returns the last line of the answer, which is the summary */
export async function importBody(
  app: TestApp,
  token: string,
  body: string | Buffer,
  query = '',
  type = 'application/x-ndjson',
): Promise<ImportProgress> {
  const upload = beginUpload(app, token, query, type);
  upload.request.end(body);
  const { status, text, lines } = await upload.answer;
  const last = lines.at(-1);
  if (status !== 200 || last === undefined) throw new Error(`${status}: ${text}`);
  return last;
}

export const asNdjson = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
