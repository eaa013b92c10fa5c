/**
 * The generated parts of the documentation: the catalogue of errors, the table of actions and the settings.
 *
 *   node adapters/public/docs/error-catalogue.ts     writes them (`npm run generate`)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { SCOPE_TABLE } from '../../../src/partners/scope-table.ts';
import { ACTION_SCOPES } from '../../../src/partners/scopes.ts';
import { CHAIN_FIXES, ChainError, type ChainErrorCode } from '../../../src/platform/chain-error.ts';
import { Environment } from '../../../src/platform/config/variables.ts';
import { ERRORS, type ErrorCode } from '../../../src/platform/errors.ts';
import { OAUTH_FIXES } from '../../../src/platform/oauth-error.ts';
import { fixOf, MESSAGES_WITH_FIX } from '../../../src/record/activity/fix-of.ts';
import { CHAIN_NOTES } from './chain-notes.ts';
import { API_NOTES, OAUTH_NOTES } from './error-notes.ts';

const PAGES = join(import.meta.dirname, 'pages');
const CONFIGURATION = join(import.meta.dirname, '../../../docs/configuration.md');
const BLOCK = /(?<=<!-- generated: npm run generate -->\n).*(?=<!-- end -->)/s;

/** Every page with a generated part, and that part. */
export const GENERATED: Readonly<Record<string, () => string>> = {
  [join(PAGES, 'errors.md')]: errorCatalogue,
  [join(PAGES, 'actions.md')]: actionTable,
  [CONFIGURATION]: settingsTables,
};

/** A page with its part as it should be. */
export function withGenerated(page: string, part: string): string {
  return page.replace(BLOCK, () => `${part}\n`);
}

/** The codes that a partner can meet in `X-Error-Code`, besides those of transactions. */
export function apiCodes(): ErrorCode[] {
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ['token', 'request'].includes(ERRORS[code].kind));
}

function errorCatalogue(): string {
  return [
    '\n## Codes of the Fan API {#fan-api}\n',
    ...apiCodes().map(apiEntry),
    '## Refusals of transactions {#transactions}\n',
    'Status 400, from `POST /authorizations` and `POST /claims/execute`. The message is `<place>: <rule> (<what was seen>)`. Nothing is signed or submitted.\n',
    ...(Object.keys(CHAIN_NOTES) as ChainErrorCode[]).map(chainEntry),
    '## Authorization server\n',
    'At the token endpoint, userinfo and the receipt these are the `error` of the body. From the authorize request they come back to your redirect URI. A wrong or missing `client_id` or `redirect_uri` cannot: the fan sees a page that names the fault.\n',
    ...(Object.keys(OAUTH_NOTES) as (keyof typeof OAUTH_NOTES)[]).map(oauthEntry),
  ].join('\n');
}

function apiEntry(code: ErrorCode): string {
  const { status, meaning, fix } = ERRORS[code];
  const note = API_NOTES[code];
  if (note === undefined) throw new Error(`error-notes.ts has nothing about ${code}`);
  const example = http(`${status}`, { 'X-Error-Code': code }, { message: note.example });
  return entry(
    code,
    code,
    [`**${status}.** ${meaning}`, `**Cause.** ${note.cause}`, `**What to do.** ${fix}`],
    example,
  );
}

function chainEntry(code: ChainErrorCode): string {
  const { cause, example, place = 'transactions[0]' } = CHAIN_NOTES[code];
  const { rule, message } = new ChainError(code, {
    where: place,
    ...(example !== '' && { detail: example }),
  });
  const text = [`**400.** The rule: ${rule}.`, `**Cause.** ${cause}`, `**What to do.** ${CHAIN_FIXES[code]}`];
  return entry(code, code, text, http('400', { 'X-Error-Code': code }, { message }));
}

function oauthEntry(code: keyof typeof OAUTH_NOTES): string {
  const { where, cause, example } = OAUTH_NOTES[code];
  const fix = code === 'server_error' ? ERRORS.internal.fix : OAUTH_FIXES[code];
  const text = [
    `**From** ${where.map((name) => `\`${name}\``).join(', ')}.`,
    `**Cause.** ${cause}`,
    `**What to do.** ${fix}`,
  ];
  if (code === 'invalid_request') text.push(messageTable());
  const body = { error: code, error_description: example };
  return entry(code, `oauth-${code}`, text, `\`\`\`json\n${JSON.stringify(body)}\n\`\`\``);
}

/** The token endpoint says what is wrong in its description only. */
function messageTable(): string {
  const rows = MESSAGES_WITH_FIX.map(
    (message) => `| ${message} | ${fixOf({ operation: 'token.exchange', outcome: 'invalid_request', message })} |`,
  );
  return ['| `error_description` | What to do |', '|---|---|', ...rows].join('\n');
}

function entry(code: string, anchor: string, text: string[], example: string): string {
  return [`### \`${code}\` {#${anchor}}`, ...text, example, ''].join('\n\n');
}

function http(status: string, headers: Record<string, string>, body: object): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ['```http', `HTTP/1.1 ${status}`, ...fields, '', JSON.stringify(body), '```'].join('\n');
}

function actionTable(): string {
  const rows = ACTION_SCOPES.map((action) => {
    const [says, calls] = SCOPE_TABLE[action].says.replace(/\.$/, '').split(': ');
    return `| \`${action}\` | ${says}. | ${calls?.replace(/[A-Z]+ [^,]+/g, '`$&`') ?? 'no endpoint yet'} |`;
  });
  return ['| Action | What it is for | Endpoint |', '|---|---|---|', ...rows].join('\n');
}

type Setting = keyof typeof Environment.shape;

/** The heading above the first setting of each subject. */
const SUBJECTS: Partial<Record<Setting, string>> = {
  NODE_ENV: 'Process',
  DATABASE_URL: 'Database',
  KEY_ENCRYPTION_KEY: 'Keys',
  AUTH_URL: 'Addresses',
  SANDBOX_RPC_URL: 'Solana',
  METRICS_PORT: 'Connections and metrics',
  PASSKEY_SIGN_IN: 'Sign-in, tokens and limits',
  TWILIO_ACCOUNT_SID: 'Codes by SMS',
  SMTP_URL: 'E-mail',
  STAFF_OIDC_ISSUER: 'Sign-in of staff',
  OPERATOR_NAME: 'Look of the fan pages',
  WORKERS: 'Workers, shutdown and log',
};

function settingsTables(): string {
  const settings = Object.entries(Environment.shape) as [Setting, z.ZodType][];
  return settings
    .flatMap(([name, value]) => {
      const subject = SUBJECTS[name];
      const heading = subject ? [`\n## ${subject}\n`, '| Variable | Default | Meaning |', '|---|---|---|'] : [];
      return [...heading, settingRow(name, value)];
    })
    .join('\n');
}

function settingRow(name: string, value: z.ZodType): string {
  const { description, unset, secret } = value.meta() ?? {};
  const standard: unknown = value.safeParse(undefined).data;
  const shown = unset ?? (standard === undefined ? 'none' : `\`${String(standard)}\``);
  const file = secret === true ? ` (or \`${name}_FILE\`)` : '';
  return `| \`${name}\`${file} | ${String(shown)} | ${description} |`;
}

if (import.meta.main) {
  for (const [file, part] of Object.entries(GENERATED)) {
    writeFileSync(file, withGenerated(readFileSync(file, 'utf8'), part()));
  }
}
