/** The table of error codes in docs/partner-guide.md. `node adapters/fan/error-table.ts` writes it (`npm run generate`). */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '../../src/errors.ts';

export const ERRORS_FILE = join(import.meta.dirname, '../../docs/partner-guide.md');
const BLOCK = /(?<=<!-- generated: npm run generate -->\n).*(?=<!-- end -->)/s;

/** The page with the current table: the codes that a partner may see. */
export function withErrorTable(page: string): string {
  const rows = Object.entries(ERRORS)
    .filter(([, { kind }]) => kind === 'token' || kind === 'request')
    .map(([code, { status, meaning, fix }]) => `| ${status} | \`${code}\` | ${meaning} | ${fix} |\n`);
  return page.replace(
    BLOCK,
    () => `| Status | \`X-Error-Code\` | Meaning | What to do |\n|---|---|---|---|\n${rows.join('')}`,
  );
}

if (import.meta.main) writeFileSync(ERRORS_FILE, withErrorTable(readFileSync(ERRORS_FILE, 'utf8')));
