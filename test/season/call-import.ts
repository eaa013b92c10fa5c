/** The last line of the answer to an import. */
export interface ImportSummary {
  run: string;
  state: 'running' | 'finished' | 'interrupted';
  created: number;
  updated: number;
  unchanged: number;
  stale: number;
  failed: number;
}

/** How the company's systems reach the service, as their environment says. */
export interface Access {
  adminUrl: string;
  token: string;
}

/** Longer than any file of the season takes. */
const PATIENCE_MS = 120_000;

/** @throws TypeError where a variable is missing */
export function accessFrom({ ADMIN_URL, INVENTORY_TOKEN }: NodeJS.ProcessEnv): Access {
  if (ADMIN_URL === undefined || INVENTORY_TOKEN === undefined) throw new TypeError('ADMIN_URL or INVENTORY_TOKEN');
  return { adminUrl: ADMIN_URL, token: INVENTORY_TOKEN };
}

/** Sends a file of rows. @throws Error where it was not applied to its end: the same file may be sent again */
export async function callImport({ adminUrl, token }: Access, name: string, body: string): Promise<ImportSummary> {
  const answer = await fetch(`${adminUrl}/import?${new URLSearchParams({ name })}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await answer.text();
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  if (!answer.ok) throw new Error(`${answer.status}: ${last}`);
  const summary = JSON.parse(last) as ImportSummary;
  if (summary.state !== 'finished') throw new Error(last);
  return summary;
}

/** The reasons of the rows of a run that failed. */
export async function failuresOf({ adminUrl, token }: Access, run: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${adminUrl}/import/${run}/failures`, { headers });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { _reason: string })._reason);
}
