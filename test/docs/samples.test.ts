/** Every code sample of the documentation runs, as it stands there: the samples of a language are one program. */
import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import { PublicKey } from '@solana/web3.js';
import { afterAll, expect, test } from 'vitest';
import { valuesOf } from '../../adapters/docs/values.ts';
import { startTestNetwork } from '../../packages/localnet/test/test-network.ts';
import type { ChainApp } from '../support/chain-app.ts';
import { consent, verifyPhone } from '../support/partner.ts';
import { testChainApp } from '../support/test-chain-app.ts';
import { programIn, readSamples } from './page-samples.ts';
import { permitOf, readPermit, type Ticket } from './partner/ticket-accounts.ts';
import { prepare } from './partner/trade.ts';
import { listWithAnchor, openProgram, transferWithAnchor } from './partner/with-anchor.ts';

const PARTNER = join(import.meta.dirname, 'partner');
const FILES = ['ticket-accounts.ts', 'with-anchor.ts', 'with-web3.ts', 'trade.ts', 'with-sdk.ts', 'sdk-in-browser.ts'];
const LIMIT_MS = 60_000;

// without a proxy before it, so that the samples find its WebSocket
const network = await startTestNetwork({ programs: [readLocalProgram()] });
const app = await testChainApp({ network, env: { SANDBOX_RPC_URL: network.url } });
const [seller, buyer] = app.users;
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

test.each(FILES)('the pieces of %s on the pages are the whole file, letter by letter', async (name) => {
  const pieces = readSamples().filter(({ file }) => file === name);
  const whole = await readFile(join(PARTNER, name), 'utf8');
  expect(pieces.map(({ code }) => code.trim()).join('\n\n')).toBe(whole.trim());
});

test('TypeScript: from the sign-in to a sold ticket', { timeout: 120_000 }, async () => {
  for (const name of FILES) await copyFile(join(PARTNER, name), join(folder, name));
  const file = join(folder, 'story.ts');
  await writeFile(file, program('ts'));
  const ticket = await firstTicket();
  const said = await run(process.execPath, [file]);
  expect(said).toContain('transfer_id');
  await expectSold(ticket);
});

test.each([
  { language: 'sh', name: 'Shell', command: 'bash' },
  { language: 'python', name: 'Python', command: 'python3' },
])('$name: from the sign-in to a sold ticket', { timeout: 120_000 }, async ({ language, command }) => {
  const file = join(folder, `story.${language}`);
  await writeFile(file, program(language));
  const ticket = await firstTicket();
  const marketplace = await network.funded();
  const anchor = await openProgram(app.origin, network.connection);
  const listing = await listWithAnchor(anchor, ticket, marketplace.publicKey, 5n);
  await writeFile(join(folder, 'listing.hex'), `${await prepare(network.connection, marketplace, listing)}\n`);
  const said = await run(command, [file], async () => {
    await expect.poll(async () => (await readPermit(network.connection, await permit(ticket))).listed).toBe(true);
    const sale = await transferWithAnchor(anchor, ticket, marketplace.publicKey, buyer.wallet_address);
    await writeFile(join(folder, 'claim.hex'), await prepare(network.connection, marketplace, sale));
  });
  expect(said).toContain('transfer_id');
  await expectSold(ticket);
});

function program(language: string): string {
  return programIn(language, valuesOf(app.config, app.kit, undefined));
}

async function permit(ticket: Ticket): Promise<PublicKey> {
  const clusters = (await (await fetch(`${app.origin}/clusters.json`)).json()) as { sandbox: { program_id: string } };
  return permitOf(new PublicKey(clusters.sandbox.program_id), ticket);
}

async function ticketsOf(user: ChainApp['users'][number]): Promise<(Ticket & { id: string })[]> {
  const { access_token } = await user.tokens();
  const answer = await fetch(`${app.config.apiUrl}/tickets`, { headers: { authorization: `Bearer ${access_token}` } });
  return ((await answer.json()) as { tickets: (Ticket & { id: string })[] }).tickets;
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

/** Runs a program and does what its reader does: signs in where the browser is sent, and answers its questions. */
async function run(command: string, args: string[], beforeClaim = async () => {}): Promise<string> {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, PYTHONUNBUFFERED: '1' } });
  let said = '';
  let answered = 0;
  const answers: [question: string, answer: () => Promise<string>][] = [
    ['Paste the address at which the browser ended: ', () => signIn(said)],
    [
      'Access token of the buyer: ',
      async () => {
        await beforeClaim();
        return (await buyer.tokens()).access_token;
      },
    ],
  ];
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill();
      reject(new Error(`it does not end:\n${said}`));
    }, LIMIT_MS);
    child.stderr.on('data', (part) => {
      said += part;
    });
    child.stdout.on('data', (part) => {
      said += part;
      const [question, answer] = answers[answered] ?? [];
      if (question === undefined || answer === undefined || !said.includes(question)) return;
      answered++;
      answer().then((text) => child.stdin.write(`${text}\n`), reject);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(said);
      else reject(new Error(`it ended with ${code}:\n${said}`));
    });
  });
}

/** The seller, at a browser that was sent to the last address in the text. @returns where the browser ends */
async function signIn(said: string): Promise<string> {
  const address = said.match(/https?:\S+\/oauth2\/authorize\S+/g)?.at(-1) ?? '';
  const answer = await fetch(address, { redirect: 'manual' });
  const location = new URL(answer.headers.get('location') ?? '');
  const session = {
    sessionId: location.searchParams.get('session_id') ?? '',
    cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  };
  const started = { ...session, clientId: '', redirectUri: '', verifier: '', state: '', nonce: '' };
  await verifyPhone(app, started, { phone: seller.phone, code: seller.code });
  return (await consent(app, started)).href;
}
