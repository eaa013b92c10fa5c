/**
 * The samples of the documentation that take long, as a reader runs them: those of Python that need packages (solders and Authlib are
 * installed from PyPI on first use; needs python3 with venv), and those of Go, where Go is installed.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { valuesOf } from '../../adapters/public/docs/values.ts';
import { startHostedNetwork } from '../../packages/localnet/test/hosted-network.ts';
import { sendTest } from '../../src/partners/notification/replay-notifications.ts';
import { fileOf, fillIn, programIn } from '../docs/page-samples.ts';
import { permitOf } from '../docs/partner/ticket-accounts.ts';
import { runSample } from '../docs/run-sample.ts';
import {
  delivererOf,
  endpointOf,
  notificationsOf,
  startReceiver,
} from '../src/partners/notification/notification-stage.ts';
import { listen } from '../support/listen.ts';
import { testChainApp } from '../support/test-chain-app.ts';
import { samplesPython } from './samples-python.ts';

const run = promisify(execFile);
const PYTHON_FILES = ['cluster.py', 'ticket_accounts.py', 'trade.py', 'verify_set.py'];
const GO_FILES = [
  ...['sign_in.go', 'tokens.go', 'verify.go', 'tickets.go', 'explain.go', 'cluster.go', 'accounts.go', 'trade.go'],
  ...['listing.go', 'claims.go', 'verify_set.go', 'verify_webhook.go', 'poll.go'],
];

const network = await startHostedNetwork();
const app = await testChainApp({ network, env: { SANDBOX_RPC_URL: network.url, SANDBOX_PUBLIC_RPC_URL: network.url } });
const values = valuesOf(app.config, app.kit, undefined);
const python = await samplesPython();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'python-samples-'));
  for (const name of PYTHON_FILES) await writeFile(join(folder, name), fileOf(name));
});

afterAll(() => rm(folder, { recursive: true }));

test('Python, all samples: from the sign-in over transactions of its own to a sold ticket', async () => {
  const file = join(folder, 'story.py');
  await writeFile(file, programIn('python', values, true));
  const said = await runSample({ app, folder, command: python, file });
  expect(said).toContain('transfer_id');
  expect(said).toContain(app.users[1].wallet_address);
});

test('Python, trade.py: a listing is cancelled with the instruction of the samples', async () => {
  const file = join(folder, 'story.py');
  const program = programIn('python', values, true);
  const claimAt = program.indexOf('buyer_token = input');
  expect(claimAt).toBeGreaterThan(0);
  const cancel = [
    'instruction = trade.cancel_listing(cluster, program_id, ticket)',
    'cancellation = trade.prepare(cluster, marketplace, instruction)',
    'signed = call_fan_api("/authorizations", {"type": "cancel", "transactions": [cancellation]})["transactions"][0]',
    'print("cancelled by", cluster.submit(signed))',
  ];
  await writeFile(file, [program.slice(0, claimAt), ...cancel].join('\n'));
  const said = await runSample({ app, folder, command: python, file });
  await expectCancelled(said);
});

test('Python with Authlib: signs in, verifies the ID token, and reads the tickets', async () => {
  const file = join(folder, 'sign_in_with_authlib.py');
  await writeFile(file, fillIn(fileOf('sign_in_with_authlib.py'), values));
  const said = await runSample({ app, folder, command: python, file });
  expect(said).toContain(`signed in ${app.users[0].id}`);
  expect(said).toContain('svc_event_id');
});

test('Python, verify_set.py: accepts the token of an event, and none for another client', async () => {
  const token = await pushedToken();
  const verify = async (clientId: string) => {
    const program = 'import sys; from verify_set import verify_set; print(verify_set(*sys.argv[1:]))';
    return (await run(python, ['-c', program, token, app.config.authUrl, clientId], { cwd: folder })).stdout;
  };
  expect(await verify(app.kit.client_id)).toContain("'events'");
  await expect(verify('another')).rejects.toThrow(/aud/);
});

const hasGo = spawnSync('go', ['version']).status === 0;
describe.skipIf(!hasGo)('Go', { timeout: 300_000 }, () => {
  test('from the sign-in over transactions of its own to a sold ticket', async () => {
    const command = await buildGo('story', fileOf('main.go'));
    const said = await runSample({ app, folder, command });
    expect(said).toContain(`signed in ${app.users[0].id}`);
    expect(said).toMatch(/^truncated .+$/m);
    expect(said).toMatch(/^policy version \S+$/m);
    expect(said).toMatch(/TransferID:\w+/);
    expect(said).toContain(`DestinationWallet:${app.users[1].wallet_address}`);
  });

  test('trade.go: a listing is cancelled with the instruction of the samples', async () => {
    const cancel = `
      fan := signIn()
      ticket, program := readTickets(fan.AccessToken)[0], openSandbox()
      wallet := newMarketplace(program.cluster)
      list(program, ticket, wallet, fan.AccessToken)
      signed := authorize(fan.AccessToken, "cancel", program.prepare(wallet, program.cancelListing(ticket)))
      fmt.Println("cancelled by", program.submit(signed[0]))`;
    const command = await buildGo('cancel', goProgram(['fmt'], cancel));
    await expectCancelled(await runSample({ app, folder, command }));
  });

  test('accounts.go: derives the addresses that web3.js derives, and writes them as it does', async () => {
    const tickets = Array.from({ length: 40 }, () => Keypair.generate().publicKey);
    const id = new PublicKey(new Uint8Array(32).fill(1, 2));
    const derive = `
      for _, id := range os.Args[2:] {
        program := ticketProgram{id: parseAddress(os.Args[1])}
        fmt.Println(program.permitOf(ticket{TixEventID: id, TixTicketID: os.Args[1]}), parseAddress(id))
      }`;
    const command = await buildGo('derive', goProgram(['fmt', 'os'], derive));
    const { stdout } = await run(command, [id, ...tickets].map(String));
    const expected = tickets.map((event) => {
      const ticket = { tix_event_id: event.toBase58(), tix_ticket_id: id.toBase58() };
      return `${permitOf(id, ticket)} ${event}\n`;
    });
    expect(stdout).toBe(expected.join(''));
  });

  test('listing.go: sends the same again after 429 and 503', async () => {
    const bodies: string[] = [];
    const server = createServer(async (request, response) => {
      bodies.push(await text(request));
      response.writeHead([503, 429][bodies.length - 1] ?? 200, { 'retry-after': '0' }).end('{"transactions":["ab"]}');
    });
    const { url, stop } = await listen(server);
    const ask = 'fmt.Println(authorize("token", "list", "00"))';
    const command = await buildGo('retry', goProgram(['fmt'], ask), { ...values, api_url: url });
    const { stdout } = await run(command);
    await stop();
    expect(stdout).toBe('[ab]\n');
    expect(new Set(bodies)).toEqual(new Set(['{"transactions":["00"],"type":"list"}']));
    expect(bodies).toHaveLength(3);
  });

  test('verify_set.go, verify_webhook.go and poll.go: accept what is genuine only, and acknowledge', async () => {
    const receive = `
      switch args := os.Args[2:]; os.Args[1] {
      case "set":
        claims, err := verifySet(args[0])
        fmt.Println(claims["events"] != nil, err)
      case "webhook":
        headers := http.Header{}
        for i := 2; i < len(args); i += 2 {
          headers.Set(args[i], args[i+1])
        }
        fmt.Println(verifyWebhook([]byte(args[0]), headers, args[1]))
      case "poll":
        for jti := range poll(args[0], args[1:]) {
          fmt.Print(jti)
        }
      }`;
    const command = await buildGo('receive', goProgram(['fmt', 'net/http', 'os'], receive));
    const said = async (...args: string[]) => (await run(command, args)).stdout;

    const token = await pushedToken();
    expect(await said('set', token)).toBe('true <nil>\n');
    const { id_token: idToken = '' } = await app.users[0].tokens();
    const forged = [...token.split('.').slice(0, 2), idToken.split('.')[2]].join('.');
    expect(await said('set', forged)).toBe('false crypto/rsa: verification error\n');
    expect(await said('set', idToken)).toContain('typ "JWT"');

    const receiver = await startReceiver();
    const webhook = await endpointOf(app, 'standard_webhooks', receiver.url);
    await sendTest(app.context(), webhook.endpoint.id);
    await delivererOf(app).turn();
    const { body = '', headers = {} } = receiver.received[0] ?? {};
    const sent = Object.entries(headers as Record<string, string>).flat();
    expect(await said('webhook', body, webhook.secret ?? '', ...sent)).toBe('true\n');
    expect(await said('webhook', `${body} `, webhook.secret ?? '', ...sent)).toBe('false\n');

    const polled = await endpointOf(app, 'set_poll');
    await sendTest(app.context(), polled.endpoint.id);
    const first = await said('poll', polled.secret ?? '');
    const next = said('poll', polled.secret ?? '', first);
    await expect.poll(async () => (await notificationsOf(app, polled.endpoint))[0]?.state).toBe('delivered');
    await sendTest(app.context(), polled.endpoint.id);
    expect(new Set([first, await next].filter((jti) => jti.startsWith('ntf_'))).size).toBe(2);
  });
});

const goProgram = (packages: string[], body: string) =>
  `package main\n\nimport (${packages.map((name) => `"${name}"`).join('; ')})\n\nfunc main() {\n${body}\n}\n`;

/** Builds the files of the pages with a main function, in a folder of their own. @returns the command */
async function buildGo(name: string, main: string, filled = values): Promise<string> {
  const cwd = join(folder, `go-${name}`);
  await mkdir(cwd);
  for (const file of GO_FILES) await writeFile(join(cwd, file), fillIn(fileOf(file), filled));
  const options = { cwd, timeout: 290_000 };
  expect((await run('gofmt', ['-l', '.'], options)).stdout).toBe('');
  await writeFile(join(cwd, 'main.go'), fillIn(main, filled));
  await run('go', ['mod', 'init', 'fan'], options);
  await run('go', ['build', '-o', name, '.'], options);
  return join(cwd, name);
}

/** A Security Event Token, as the service pushes it to a partner. */
async function pushedToken(): Promise<string> {
  const receiver = await startReceiver();
  const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
  await sendTest(app.context(), endpoint.id);
  await delivererOf(app).turn();
  return receiver.received[0]?.body ?? '';
}

async function expectCancelled(said: string): Promise<void> {
  const signature = /cancelled by (\w+)/.exec(said)?.[1] ?? '';
  const status = await new Connection(network.url, 'confirmed').getSignatureStatus(signature);
  expect(status.value).toMatchObject({ err: null });
}
