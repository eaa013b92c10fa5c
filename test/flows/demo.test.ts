import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { answers, type Child, freePorts, startChild } from '../support/child.ts';
import { CHILD_ENV } from '../support/child-env.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const run = promisify(execFile);

let folder: string;
let database: TestDatabase;
let server: Child;
let env: Record<string, string>;
beforeAll(async () => {
  expect(inject('postgresUrl')).toBeDefined();
  folder = await mkdtemp(join(tmpdir(), 'demo-'));
  database = await createDatabase();
  env = {
    PORT: String(await freePorts()),
    METRICS_PORT: '0',
    LOCALNET_PORT: String(await freePorts(2)),
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64url'),
    LOG_LEVEL: 'error',
  };
  await start();
});
afterAll(async () => {
  await server?.kill('SIGTERM');
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const isReady = () => answers(`http://localhost:${env.PORT}/readyz`);
  server = await startChild('adapters/process/main.ts', { env, isReady });
}

/** @returns what the demo printed. @throws where its exit code is not 0 */
async function demo(): Promise<string> {
  const options = { env: { ...CHILD_ENV, DATA_DIR: folder }, timeout: 90_000 };
  return (await run(process.execPath, ['test/flows/demo.ts'], options)).stdout;
}

it('the demo lists, cancels, lists again and sells a ticket; again after a restart', async () => {
  for (const time of ['first', 'after a restart']) {
    if (time === 'after a restart') {
      await server.kill('SIGTERM');
      await start();
    }
    const told = await demo();
    expect(told, time).toMatch(/usr_\w+ granted fan:tickets:read,fan:listings:write,fan:claims:write to /);
    const [, ticket] = /Listing (tkt_\w+) at 2 SOL/.exec(told) ?? [];
    expect(ticket, time).toBeDefined();
    expect(told, time).toMatch(new RegExp(`The ticket has moved[^]*no longer holds ${ticket}; \\+\\d+ does`));
  }
}, 240_000);
