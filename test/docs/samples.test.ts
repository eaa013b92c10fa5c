/** Every code sample of the documentation runs, as it stands there: the samples of a language are one program. */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PublicKey } from '@solana/web3.js';
import { afterAll, expect, test } from 'vitest';
import { valuesOf } from '../../adapters/public/docs/values.ts';
import { startHostedNetwork } from '../../packages/localnet/test/hosted-network.ts';
import type { ChainApp } from '../support/chain-app.ts';
import { callFan, REDIRECT_URI } from '../support/partner.ts';
import { testChainApp } from '../support/test-chain-app.ts';
import { fileOf, fillIn, pageNames, programIn, readPage, readSamples } from './page-samples.ts';
import { permitOf, readPermit, type Ticket } from './partner/ticket-accounts.ts';
import { prepare } from './partner/trade.ts';
import { listWithAnchor, openProgram, transferWithAnchor } from './partner/with-anchor.ts';
import { listWithSdk, openPartner, openSandbox, sellWithSdk } from './partner/with-sdk.ts';
import { runSample } from './run-sample.ts';

const PARTNER = join(import.meta.dirname, 'partner');
const FILES = ['ticket-accounts.ts', 'with-anchor.ts', 'with-web3.ts', 'trade.ts', 'with-sdk.ts', 'sdk-in-browser.ts'];
/** Every file that the pages show, in pieces or whole. */
const NAMED = [...new Set(readSamples().flatMap(({ file }) => file ?? []))];

// without a proxy before it, so that the samples find its WebSocket
const network = await startHostedNetwork();
const app = await testChainApp({ network, env: { SANDBOX_RPC_URL: network.url, SANDBOX_PUBLIC_RPC_URL: network.url } });
const [seller, buyer] = app.users;
const values = valuesOf(app.config, app.kit, undefined);
const results = join(import.meta.dirname, '../../test-results');
await mkdir(results, { recursive: true });
// inside the project, where the imports of the samples are found
const folder = await mkdtemp(join(results, 'samples-'));
afterAll(() => rm(folder, { recursive: true }));

test('every sample is a part of a program that runs, or of a file that the programs use', () => {
  const idle = readSamples().filter(({ run, file }) => run === undefined && file === undefined);
  expect(idle).toEqual([]);
  for (const language of ['sh', 'ts', 'python']) {
    expect(readSamples().filter((sample) => sample.language === language && sample.run).length).toBeGreaterThan(6);
  }
});

test('every page ends with what to do next, and where', () => {
  const ends = pageNames().map((name) => [name, readPage(name).trimEnd().split('\n').at(-1) ?? '']);
  expect(ends.filter(([, end = '']) => !/^\*\*Next\.\*\* .*\]\(.+\)/.test(end))).toEqual([]);
});

test('where a page has TypeScript and Python side by side, Go is beside them', () => {
  const groups = pageNames().flatMap((page) =>
    [...readPage(page).matchAll(/(?:^```\w+ tab=[^\n]*\n.*?^```\n\n?)+/gms)].map(([group]) => [
      page,
      [...group.matchAll(/^```\w+ tab=(\w+)/gm)].map(([, tab = '']) => tab).join(),
    ]),
  );
  expect(groups.length).toBeGreaterThan(20);
  expect(groups.filter(([, tabs = '']) => !/^(Shell|(Shell,)?(TypeScript,)?Python,Go)$/.test(tabs))).toEqual([]);
});

test('no sample hides behind another name of its language', () => {
  const languages = pageNames().flatMap((name) =>
    [...readPage(name).matchAll(/^```(\w*)[^\n]*\n.*?^```$/gms)].map(([, language = '']) => language),
  );
  // a usage line, an answer or the file of a CI is no program
  expect(
    [...new Set(languages)].filter(
      (name) => !['sh', 'ts', 'python', 'go', 'json', 'http', 'yaml', 'text', ''].includes(name),
    ),
  ).toEqual([]);
});

test('every file that a page shows is one that a test names, and no file is left that no page shows', () => {
  const tests = globSync('test/{docs,slow}/**/*.test.ts');
  const text = tests.map((path) => readFileSync(path, 'utf8')).join();
  expect(NAMED.filter((name) => !text.includes(name))).toEqual([]);
  expect(readdirSync(PARTNER).filter((name) => /\.\w+$/.test(name) && !NAMED.includes(name))).toEqual([]);
});

test.each(NAMED)(
  'the pieces of %s on the pages are the whole file, letter by letter, and the documentation serves it',
  async (name) => {
    expect(fileOf(name)).toBe(await readFile(join(PARTNER, name), 'utf8'));
    const served = await fetch(`${app.config.docsUrl}/samples/${name}`);
    expect(served.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await served.text()).toBe(fillIn(fileOf(name), values));
  },
);

test('TypeScript: from the sign-in to a sold ticket', { timeout: 120_000 }, async () => {
  for (const name of FILES) await copyFile(join(PARTNER, name), join(folder, name));
  const file = join(folder, 'story.ts');
  await writeFile(file, programIn('ts', values));
  const ticket = await firstTicket();
  const said = await runSample({ app, folder, command: process.execPath, file });
  expect(said).toContain('transfer_id');
  await expectSold(ticket);
});

test.each([
  { language: 'sh', name: 'Shell', command: 'bash' },
  { language: 'python', name: 'Python', command: 'python3' },
])('$name: from the sign-in to a sold ticket', { timeout: 120_000 }, async ({ language, command }) => {
  const file = join(folder, `story.${language}`);
  await copyFile(join(PARTNER, 'cluster.py'), join(folder, 'cluster.py'));
  await writeFile(file, programIn(language, values));
  const ticket = await firstTicket();
  const marketplace = await network.funded();
  const anchor = await openProgram(app.origin, network.connection);
  const listing = await listWithAnchor(anchor, ticket, marketplace.publicKey, 5n);
  await writeFile(join(folder, 'listing.hex'), `${await prepare(network.connection, marketplace, listing)}\n`);
  const beforeClaim = async () => {
    await expect.poll(async () => (await readPermit(network.connection, await permit(ticket))).listed).toBe(true);
    const terms = await readPermit(network.connection, await permit(ticket));
    const sale = await transferWithAnchor(anchor, ticket, terms, marketplace.publicKey, buyer.wallet_address);
    await writeFile(join(folder, 'claim.hex'), await prepare(network.connection, marketplace, sale));
  };
  const said = await runSample({ app, folder, command, file, beforeClaim });
  expect(said).toContain('transfer_id');
  await expectSold(ticket);
});

test('the SDK: tokens are kept in files, a ticket is listed and sold', async () => {
  const { authUrl: issuer, apiUrl } = app.config;
  const settings = { issuer, apiUrl, clientId: app.kit.client_id, redirectUri: REDIRECT_URI, folder };
  const { sessionOf, fanApiOf } = openPartner(settings);
  for (const user of [seller, buyer]) {
    const response = (await user.tokens()) as never;
    await sessionOf(user.id).begin({ response, expiresAt: Date.now() + 60_000 });
  }
  const { programId, connection } = await openSandbox(apiUrl);
  const [ticket] = (await fanApiOf(seller.id).tickets()).tickets;
  if (ticket === undefined) throw new Error('the seller has no ticket');
  const wallet = await network.funded();
  const offer = { ticket, wallet, lamports: 9n };
  const terms = await listWithSdk(fanApiOf(seller.id), connection, programId, offer);
  const [claimed] = await sellWithSdk(fanApiOf(buyer.id), connection, programId, { ticket, wallet, ...terms });
  expect(claimed).toMatchObject({ ticket_id: ticket.id, destination_wallet: buyer.wallet_address });
  await expectSold(ticket);
});

async function permit(ticket: Ticket): Promise<PublicKey> {
  const clusters = (await (await fetch(`${app.origin}/clusters.json`)).json()) as { sandbox: { program_id: string } };
  return permitOf(new PublicKey(clusters.sandbox.program_id), ticket);
}

async function ticketsOf(user: ChainApp['users'][number]): Promise<(Ticket & { id: string })[]> {
  const { body } = await callFan(app, '/tickets', (await user.tokens()).access_token);
  return body.tickets as (Ticket & { id: string })[];
}

async function firstTicket(): Promise<Ticket & { id: string }> {
  const [ticket] = await ticketsOf(seller);
  if (ticket === undefined) throw new Error('the seller has no ticket');
  return ticket;
}

async function expectSold(ticket: Ticket & { id: string }): Promise<void> {
  expect((await readPermit(network.connection, await permit(ticket))).owner.toBase58()).toBe(buyer.wallet_address);
  expect((await ticketsOf(buyer)).map(({ id }) => id)).toContain(ticket.id);
}
