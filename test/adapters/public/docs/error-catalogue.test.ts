import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CHAIN_NOTES } from '../../../../adapters/public/docs/chain-notes.ts';
import { apiCodes, GENERATED, withGenerated } from '../../../../adapters/public/docs/error-catalogue.ts';
import { API_NOTES } from '../../../../adapters/public/docs/error-notes.ts';
import { ACTION_SCOPES, SCOPES_IN_USE } from '../../../../src/partners/scopes.ts';
import { CHAIN_FIXES, ChainError, type ChainErrorCode } from '../../../../src/platform/chain-error.ts';
import { ERRORS } from '../../../../src/platform/errors.ts';
import { OAUTH_FIXES } from '../../../../src/platform/oauth-error.ts';
import { readPage } from '../../../docs/page-samples.ts';

const page = readPage('errors');
/** Each entry of the catalogue by its anchor. */
const entries = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((entry) => [/\{#([\w-]+)\}/.exec(entry)?.[1] ?? '', entry]),
);

test('the catalogue has every code of the Fan API, of the policy and of the authorization server, and no other', () => {
  const codes = [
    ...apiCodes(),
    ...Object.keys(CHAIN_FIXES),
    ...[...Object.keys(OAUTH_FIXES), 'server_error'].map((code) => `oauth-${code}`),
  ];
  expect([...entries.keys()].toSorted()).toEqual(codes.toSorted());
  expect(apiCodes().length).toBeGreaterThan(13);
});

test('every entry has its cause, what to do, and an example', () => {
  for (const [anchor, entry] of entries) {
    expect(entry, anchor).toMatch(/\*\*Cause\.\*\* \S.+\./);
    expect(entry, anchor).toMatch(/\*\*What to do\.\*\* \S.+\./);
    expect(entry, anchor).toMatch(/```(http|json)\n/);
  }
});

test('what to do is what the console tells support, word for word', () => {
  for (const code of apiCodes()) expect(entries.get(code)).toContain(ERRORS[code].fix);
  for (const [code, fix] of Object.entries(CHAIN_FIXES)) {
    expect(entries.get(code)).toContain(fix);
    expect(entries.get(code)).toContain(new ChainError(code as ChainErrorCode).rule);
  }
  for (const [code, fix] of Object.entries(OAUTH_FIXES)) expect(entries.get(`oauth-${code}`)).toContain(fix);
});

test('the notes name no code that no partner meets', () => {
  expect(Object.keys(API_NOTES).toSorted()).toEqual(apiCodes().toSorted());
  expect(Object.keys(CHAIN_NOTES).filter((code) => code in ERRORS)).toEqual([]);
});

test('the generated parts are in step with the code', () => {
  for (const [file, part] of Object.entries(GENERATED)) {
    const written = readFileSync(file, 'utf8');
    expect(withGenerated(written, part()), file).toBe(written);
  }
});

test('all actions are listed, those in use with their endpoints', () => {
  const rows = readPage('actions')
    .split('\n')
    .filter((line) => line.startsWith('| `fan:'));
  expect(rows.map((row) => /`(fan:[a-z:]+)`/.exec(row)?.[1])).toEqual([...ACTION_SCOPES]);
  const inUse = ACTION_SCOPES.filter((action) => SCOPES_IN_USE.includes(action));
  expect(rows.filter((row) => /\| `(GET|POST) \//.test(row))).toHaveLength(inUse.length);
});

test('no page names a file of this repository or asks for a command of it', () => {
  const groups = JSON.parse(
    readFileSync(new URL('../../../../adapters/public/docs/pages/nav.json', import.meta.url), 'utf8'),
  ) as { pages: string[] }[];
  for (const name of groups.flatMap(({ pages }) => pages)) {
    const text = readPage(name).replace(/<!-- .* -->/g, '');
    expect(text, name).not.toMatch(/npm run|\.data\/|(?<![\w/])(src|adapters|test|docs)\/[\w-]+/);
  }
});
